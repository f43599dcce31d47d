/** Which plans the user has looked at and found harmless. */
export interface Trust {
  /** What was trusted last for a project, line by line; undefined when nothing was. */
  trusted(project: string): Promise<readonly string[] | undefined>;
  trust(project: string, lines: readonly string[]): Promise<void>;
}
