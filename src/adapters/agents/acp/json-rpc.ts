import { fieldsOf, textOf } from '../../../text/agent-words/fields.ts';

const METHOD_NOT_FOUND = -32_601;

/** What the other side answers a call with when it did not go well. */
export class RpcError extends Error {
  readonly code: number;
  /** What else it says of it. */
  readonly details: unknown;

  constructor(error: Record<string, unknown>) {
    super(textOf(error.message) ?? 'an error without a message');
    this.code = Number(error.code);
    this.details = error.data;
  }
}

type Handlers = {
  readonly send: (message: object) => void;
  /** Answers a request; undefined where there is no such method. */
  readonly asked: (method: string, params: unknown) => object | undefined;
  readonly told: (method: string, params: unknown) => void;
};

/** One side of a conversation in JSON-RPC 2.0; whatever makes no sense is let pass. */
export class JsonRpcPeer {
  readonly #handlers: Handlers;
  readonly #open = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  #calls = 0;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** Calls a method; rejects with RpcError, and never resolves when the other side does not answer. */
  call(method: string, params: object): Promise<Record<string, unknown>> {
    const id = this.#calls++;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#open.set(id, answer);
    this.#handlers.send({ jsonrpc: '2.0', id, method, params });
    return answer.promise;
  }

  notify(method: string, params: object): void {
    this.#handlers.send({ jsonrpc: '2.0', method, params });
  }

  /** Takes in a message of the other side. */
  receive(message: Record<string, unknown>): void {
    const { id, params } = message;
    const method = textOf(message.method);
    if (method === undefined) this.#answered(message);
    else if (id === undefined) this.#handlers.told(method, params);
    else this.#answer(id, method, params);
  }

  #answer(id: unknown, method: string, params: unknown): void {
    const result = this.#handlers.asked(method, params);
    const answer =
      result === undefined ? { error: { code: METHOD_NOT_FOUND, message: `no ${method} here` } } : { result };
    this.#handlers.send({ jsonrpc: '2.0', id, ...answer });
  }

  #answered({ id, result, error }: Record<string, unknown>): void {
    if (typeof id !== 'number') return;
    const call = this.#open.get(id);
    this.#open.delete(id);
    // Some agents name both and leave one of them empty.
    if (error === undefined || error === null) call?.resolve(fieldsOf(result));
    else call?.reject(new RpcError(fieldsOf(error)));
  }
}
