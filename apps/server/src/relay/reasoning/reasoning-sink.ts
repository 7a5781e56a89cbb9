import type { ReplyReader } from '@tollgate/dialects/canonical/codec'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import type { Part } from '@tollgate/dialects/canonical/part'
import { conversations } from '@tollgate/dialects/conversations'
import { parseObject } from '@tollgate/dialects/json'
import { describeTurn } from '@tollgate/providers/fit/turn-key'

/** Receives an answer; `Reason` says why it broke off. */
interface AnswerSink<Reason> {
  data(chunk: Buffer): void
  end(): void
  broke(reason: Reason): void
  tick(now: number): void
}

export interface ReasoningSinkInput<Reason> {
  /** Receives the answer as before. */
  readonly sink: AnswerSink<Reason>
  readonly isStream: boolean
  readonly onTurn: (turn: string, reasoning: string) => void
}

/** A longer answer is not read for its reasoning, which would be too long to keep. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

/** Reads the reasoning of turns with calls out of a chat completion while another sink receives it. */
export class ReasoningSink<Reason> implements AnswerSink<Reason> {
  readonly #input: ReasoningSinkInput<Reason>
  readonly #framing = new FrameReader()
  readonly #reader: ReplyReader = conversations.chat.upstream.openReader(() => undefined)
  #collector = new ReplyCollector()
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(input: ReasoningSinkInput<Reason>) {
    this.#input = input
  }

  data(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > ANSWER_BYTES_MAX) this.#pieces = []
    else if (this.#input.isStream) this.#read(chunk)
    else this.#pieces.push(chunk)
    this.#input.sink.data(chunk)
  }

  end(): void {
    if (this.#pieces.length > 0) this.#readWhole(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#input.sink.end()
  }

  broke(reason: Reason): void {
    this.#input.sink.broke(reason)
  }

  tick(now: number): void {
    this.#input.sink.tick(now)
  }

  /** A turn is kept when its choice ends: the sink that receives the answer may end the exchange then. */
  #read(chunk: Buffer): void {
    for (const frame of this.#framing.push(chunk))
      for (const event of this.#reader.push(frame)) {
        this.#collector.push(event)
        if (event.type === 'choice-end') this.#keep(this.#collector.reply().choices[0]?.parts ?? [])
      }
  }

  #readWhole(bytes: Buffer): void {
    const answer = parseObject(bytes)
    const read = answer && conversations.chat.upstream.readReply(answer, () => undefined, '')
    if (read?.type === 'reply') this.#keep(read.reply.choices[0]?.parts ?? [])
  }

  #keep(parts: readonly Part[]): void {
    const calls = parts.filter((part) => part.type === 'tool-call')
    const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
    if (calls.length > 0 && reasoning !== '') this.#input.onTurn(describeTurn(calls), reasoning)
  }
}
