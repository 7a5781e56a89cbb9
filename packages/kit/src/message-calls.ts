import { invariant } from './invariant.ts'

/** RPC between two processes that can send each other messages. Either side may call and answer. */
export interface MessageCalls {
  /** Rejects with the decoded error of the other side, or when the other side is gone. */
  call(name: string, input?: unknown): Promise<unknown>
  /** Registers the handler for calls of this name. */
  serve(name: string, answer: (input: unknown) => unknown): void
  /**
   * Must be called with every incoming message. Returns false when the message does not belong to this
   * protocol.
   */
  receive(message: unknown): boolean
  /** To be called when the other side is gone: pending and later calls reject with `reason`. */
  end(reason: Error): void
}

/**
 * Maps each call name to a function type with one input and one result; both ends are typed by the same
 * table.
 */
export type CallTable = Readonly<Record<string, (input: never) => unknown>>
type Input<Table extends CallTable, Name extends keyof Table> = Parameters<Table[Name]>[0]
type Output<Table extends CallTable, Name extends keyof Table> = ReturnType<Table[Name]>

export interface CallsOf<Table extends CallTable> {
  call<Name extends keyof Table>(name: Name, input: Input<Table, Name>): Promise<Output<Table, Name>>
  serve<Name extends keyof Table>(
    name: Name,
    answer: (input: Input<Table, Name>) => Output<Table, Name> | Promise<Output<Table, Name>>,
  ): void
}

/** Adds types to untyped calls. The cast is safe because both ends are the same version of this program. */
export function callsOf<Table extends CallTable>(calls: MessageCalls): CallsOf<Table> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return calls as unknown as CallsOf<Table>
}

export interface MessageCallsOptions {
  readonly post: (message: unknown) => void
  /** Serialises errors: `decode` receives what `encode` returned on the other side. */
  readonly errors: {
    readonly encode: (error: unknown) => unknown
    readonly decode: (wire: unknown) => Error
  }
}

/** Distinguishes these messages from those of the Node.js runtime. */
const MARK = 'tollgate calls'

type Part =
  | readonly ['call', number, string, unknown]
  | readonly ['answer', number, unknown]
  | readonly ['error', number, unknown]

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** Calls and answers of one event loop turn are sent as one message. Answers may arrive in any order. */
export function messageCalls({ post, errors }: MessageCallsOptions): MessageCalls {
  const handlers = new Map<string, (input: unknown) => unknown>()
  const waiting = new Map<number, Waiting>()
  let last = 0
  let outgoing: Part[] = []
  let ended: Error | undefined

  function say(part: Part): void {
    if (ended) return
    outgoing.push(part)
    if (outgoing.length === 1) queueMicrotask(flush)
  }

  function flush(): void {
    const parts = outgoing
    outgoing = []
    if (!ended) post({ mark: MARK, parts })
  }

  async function answer([, number, name, input]: Extract<Part, readonly ['call', ...unknown[]]>) {
    try {
      const handler = handlers.get(name)
      invariant(handler, `the other side answers ${name}`)
      say(['answer', number, await handler(input)])
    } catch (error) {
      say(['error', number, errors.encode(error)])
    }
  }

  function take(part: Part): void {
    if (part[0] === 'call') return void answer(part)
    const caller = waiting.get(part[1])
    waiting.delete(part[1])
    if (part[0] === 'answer') caller?.resolve(part[2])
    else caller?.reject(errors.decode(part[2]))
  }

  return {
    call: (name, input) => {
      if (ended) return Promise.reject(ended)
      const number = ++last
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject })
        say(['call', number, name, input])
      })
    },
    serve: (name, handler) => void handlers.set(name, handler),
    receive: (message) => {
      if (!isOurs(message)) return false
      for (const part of message.parts) take(part)
      return true
    },
    end: (reason) => {
      ended ??= reason
      for (const { reject } of waiting.values()) reject(ended)
      waiting.clear()
    },
  }
}

function isOurs(message: unknown): message is { readonly parts: readonly Part[] } {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'mark') === MARK
}
