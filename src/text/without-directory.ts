/** What follows is no part of a longer path. */
const END = /(?![\w./-])/.source;

/** Text in which paths below a directory are written as seen from there: its own path changes from run to run and tells nobody anything. */
export function withoutDirectory(text: string, directory: string): string {
  if (directory === '' || !text.includes(directory)) return text;
  const below = [`file:///private${directory}/`, `file://${directory}/`, `/private${directory}/`, `${directory}/`];
  const relative = below.reduce((cleaned, prefix) => cleaned.replaceAll(prefix, ''), text);
  return relative.replaceAll(new RegExp(`(?:file://)?(?:/private)?${literal(directory)}${END}`, 'g'), '.');
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
