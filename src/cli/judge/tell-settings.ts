import type { SettingsFindings } from '../../engine/approve/own-settings.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
import { framesIn } from '../../text/code-frame.ts';
import type { Terminal } from '../call/terminal.ts';

/** Shows what is wrong in the settings judges are chosen by. */
export function tellSettings({ findings, path, text }: SettingsFindings, { err, paint }: Terminal): void {
  err(`${renderFindings(findings, { paint, frame: framesIn(new Map([[path, text]])) })}\n`);
}
