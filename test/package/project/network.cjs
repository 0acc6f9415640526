// Asynchronous built-ins, with servers in this process.
const { readFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const { join } = require('node:path');
const { gzipSync } = require('node:zlib');

const pem = (name) => readFileSync(join(__dirname, 'fixtures/tls', name), 'utf8');

const policies = {
  'net.rego': `package net
sent := http.send({"method": "POST", "url": input.url, "body": {"n": 1}}).body
secure := http.send({"method": "GET", "url": input.url, "tls_ca_cert": input.ca}).body
quiet := http.send({"method": "GET", "url": input.url, "raise_error": false}).status_code
found := net.lookup_ip_addr("localhost")
`,
};

async function served(server, use) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(server.address().port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answer(request, response) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(JSON.stringify({ method: request.method })));
}

async function ask({ writ }, rule, input) {
  const engine = await writ.Engine.open([{ policies }]);
  return JSON.stringify((await engine.decideAsync(`net/${rule}`, input, { strictBuiltinErrors: true })).result);
}

function same(found, wanted) {
  if (found !== wanted) throw new Error(`${found} instead of ${wanted}`);
}

const network = {
  'http.send over HTTP': (library) =>
    served(http.createServer(answer), async (port) =>
      same(await ask(library, 'sent', { url: `http://127.0.0.1:${port}/` }), '{"method":"POST"}'),
    ),
  'http.send over HTTPS': (library) =>
    served(https.createServer({ cert: pem('server.pem'), key: pem('server.key') }, answer), async (port) =>
      same(await ask(library, 'secure', { url: `https://127.0.0.1:${port}/`, ca: pem('authority.pem') }), '{"method":"GET"}'),
    ),
  'http.send to nobody': async (library) => same(await ask(library, 'quiet', { url: 'http://127.0.0.1:1/' }), '0'),
  'net.lookup_ip_addr': async (library) => {
    const found = JSON.parse(await ask(library, 'found', {}));
    if (!found.includes('127.0.0.1')) throw new Error(`localhost is ${found}`);
  },
};

module.exports = { network };
