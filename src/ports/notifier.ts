import type { NoticeDocument } from '../domain/ladder/notice.ts';
import type { NotifySettings } from '../domain/plan/notify-settings.ts';

/** A question as people are told of it. */
export type Notice = {
  readonly document: NoticeDocument;
  /** Nobody knows it before the notice is out, so that what carries it came after. */
  readonly mark: string;
};

/** A question that people were told of and, where it is settled by now, since when and by what as far as that is known. */
export type ToldNotice = Notice & {
  readonly settled?: { readonly at?: string; readonly by?: Omit<HeardAnswer, 'request'> };
  /** Why an answer cannot be taken; undefined when it can. */
  readonly refusal: (answer: HeardAnswer) => string | undefined;
};

/** A decision that came from afar. */
export type HeardAnswer = {
  readonly request: string;
  readonly option: string;
  readonly comment?: string;
  /** Where it came from and who gave it: `github:octocat`. */
  readonly actor: string;
};

/** The ways to people who are not at the keyboard. */
export interface Notifier {
  /**
   * Tells of a question; false when this process has nobody to tell that way, which is no failure.
   * Throws HelixError `io` with the reason when it could not be delivered.
   */
  tell(settings: NotifySettings, notice: Notice, signal: AbortSignal): Promise<boolean>;
  /**
   * The valid answers that have come to open questions, at most one each, and in words what looked like an answer and is none.
   * Throws HelixError `io` when that cannot be found out now.
   */
  hear(
    settings: NotifySettings,
    told: readonly ToldNotice[],
    signal: AbortSignal,
  ): Promise<{ readonly answers: readonly HeardAnswer[]; readonly ignored: readonly string[] }>;
}
