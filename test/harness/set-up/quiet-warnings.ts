/** Many tests decide at paths that nothing answers: their warnings would fill pages. */
const printing = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'WritWarning') for (const print of printing) print(warning);
});
