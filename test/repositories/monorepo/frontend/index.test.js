require('node:test').test('greets', () => {});
