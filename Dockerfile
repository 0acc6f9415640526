# The server alone: built from the lock file, run without root. See docs/deploy.md.
FROM node:24.21.0-slim AS build
WORKDIR /src
# A layer that stays until the lock file changes.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
ARG REVISION=
# A server needs no declarations and no pages.
RUN SOURCE_COMMIT="$REVISION" npm pack --pack-destination /tmp \
  && mkdir /package \
  && tar -xzf /tmp/writ-*.tgz -C /package --strip-components=1 \
  && rm -rf /package/docs \
  && find /package -name '*.d.ts' -delete -o -name '*.map' -delete -o -type d -empty -delete

FROM node:24.21.0-slim
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="writ" \
  org.opencontainers.image.description="A policy engine: serves decisions over OPA's REST API" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
COPY --from=build /package /opt/writ
RUN ln -s /opt/writ/bin/writ /usr/local/bin/writ && rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn*
# The number of the user node: Kubernetes cannot tell of a name that it is not root.
USER 1000:1000
WORKDIR /home/node
# Health is asked here, whatever address, socket or certificate the API has: an address without a
# scheme would have the API's certificate.
ENV OPA_RUN_DIAGNOSTIC_ADDR=http://127.0.0.1:8282
EXPOSE 8181
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8282 && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["writ"]
CMD ["run", "--server", "--addr", "0.0.0.0:8181"]
