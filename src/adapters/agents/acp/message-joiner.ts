import { fieldsOf, textOf } from '../../../text/agent-words/fields.ts';

type Message = Record<string, unknown>;

/** Joins what an agent says piece by piece, so that people and transcripts get whole messages. */
export class MessageJoiner {
  readonly #give: (message: Message) => void;
  #piece: { readonly first: Message; readonly key: string; text: string } | undefined;

  constructor(give: (message: Message) => void) {
    this.#give = give;
  }

  take(message: Message): void {
    const update = updateOf(message);
    const text = textOf(fieldsOf(update.content).text);
    if (!isPiece(update) || text === undefined) {
      this.flush();
      this.#give(message);
      return;
    }
    const key = `${update.sessionUpdate} ${textOf(update.messageId) ?? ''}`;
    if (this.#piece?.key === key) {
      this.#piece.text += text;
      return;
    }
    this.flush();
    this.#piece = { first: message, key, text };
  }

  /** Gives what has not been given yet. */
  flush(): void {
    if (this.#piece === undefined) return;
    const { first, text } = this.#piece;
    this.#piece = undefined;
    const params = fieldsOf(first.params);
    this.#give({ ...first, params: { ...params, update: { ...updateOf(first), content: { type: 'text', text } } } });
  }
}

function updateOf(message: Message): Message {
  return fieldsOf(fieldsOf(message.params).update);
}

function isPiece({ sessionUpdate }: Message): boolean {
  return sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'agent_thought_chunk';
}
