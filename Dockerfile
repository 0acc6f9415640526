# The server alone: built from the lock file, run without root. See docs/deploy.md.
FROM node:24.21.0-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund --loglevel=error
RUN npm pack --ignore-scripts --pack-destination /tmp
RUN mkdir /package && tar -xzf /tmp/writ-*.tgz -C /package --strip-components=1

FROM node:24.21.0-slim
COPY --from=build /package /opt/writ
RUN ln -s /opt/writ/bin/writ /usr/local/bin/writ && rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn*
USER node
WORKDIR /home/node
EXPOSE 8181
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8181/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["writ"]
CMD ["run", "--server", "--addr", "0.0.0.0:8181"]
