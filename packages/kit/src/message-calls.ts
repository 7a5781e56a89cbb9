import { invariant } from './invariant.ts'

/** Calls between two processes that can send each other messages. Either side may call and answer. */
export interface MessageCalls {
  /** Rejects with what the other side's errors become, or when it is gone. */
  call(name: string, input?: unknown): Promise<unknown>
  /** Answers calls of this name from now on. */
  serve(name: string, answer: (input: unknown) => unknown): void
  /** To be given every message; false when it is no message of ours. */
  receive(message: unknown): boolean
  /** The other side is gone: what waits for it rejects. */
  end(reason: Error): void
}

/** What can be called, each with one input and one answer: the table that both ends are typed by. */
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

/** Both ends are our own program, of the same version: what arrives is what was sent. */
export function callsOf<Table extends CallTable>(calls: MessageCalls): CallsOf<Table> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return calls as unknown as CallsOf<Table>
}

export interface MessageCallsOptions {
  readonly post: (message: unknown) => void
  /** How an error crosses. What decodes it must get what encoded it. */
  readonly errors: {
    readonly encode: (error: unknown) => unknown
    readonly decode: (wire: unknown) => Error
  }
}

/** Marks our messages among those of the runtime. */
const MARK = 'tollgate calls'

type Part =
  | readonly ['call', number, string, unknown]
  | readonly ['answer', number, unknown]
  | readonly ['error', number, unknown]

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** What is said in one turn goes as one message, and is answered in any order. */
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
