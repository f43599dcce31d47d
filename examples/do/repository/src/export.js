export const toCsv = (rows) => Buffer.from(rows.join('\n'), 'latin1');
