// Starts the storage emulator of firebase-tools without its command, which would download the
// emulator of its rules: `node emulator.cjs PORT`.
const host = '127.0.0.1';
const port = Number(process.argv[2]);
const { StorageEmulator } = require('firebase-tools/lib/emulator/storage/index.js');
const { createApp } = require('firebase-tools/lib/emulator/storage/server.js');
const { EmulatorRegistry } = require('firebase-tools/lib/emulator/registry.js');

const project = 'demo-test';
const emulator = new StorageEmulator({
  host,
  port,
  projectId: project,
  rules: { name: 'none', content: '' },
  auto_download: false,
});
EmulatorRegistry.set('storage', emulator);
createApp(project, emulator).then((app) =>
  app.listen(port, host, () => console.log('server started')));
