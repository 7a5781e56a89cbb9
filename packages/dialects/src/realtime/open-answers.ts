import { type CountedTokens, SideCount } from './side-count.ts'

/** Tokens per minute of output audio: 200 tokens for 0.24 minutes. */
const SPOKEN_PER_MINUTE = 200 / 0.24
/** Events of an answer that ended may arrive late; so many answers are remembered for that. */
const ENDED_KEPT_MAX = 256

/** An answer that has begun and not ended. */
export interface OpenAnswer {
  readonly id: string | undefined
  readonly input: CountedTokens
  /** How much of the conversation's input it has read. */
  readonly readUpTo: CountedTokens
  readonly output: SideCount
}

export type NewAnswer = Omit<OpenAnswer, 'output'>

/** The answers of a session that are under way, several at a time, oldest first. */
export class OpenAnswers {
  readonly #open = new Set<OpenAnswer>()
  readonly #ended = new Set<string>()
  #format: unknown

  get size(): number {
    return this.#open.size
  }

  get all(): readonly OpenAnswer[] {
    return [...this.#open]
  }

  /** The format of audio in answers that begin later. */
  setFormat(format: unknown): void {
    this.#format = format
  }

  has(id: string): boolean {
    return this.all.some((answer) => answer.id === id)
  }

  open(answer: NewAnswer): OpenAnswer {
    if (answer.id !== undefined) this.#ended.delete(answer.id)
    const output = new SideCount(SPOKEN_PER_MINUTE)
    output.setFormat(this.#format)
    const opened = { ...answer, output }
    this.#open.add(opened)
    return opened
  }

  /** The answer that an event belongs to. One without an id belongs to the newest answer. */
  find(id: string | undefined): OpenAnswer | undefined {
    const { all } = this
    if (id === undefined) return all.at(-1)
    return all.find((answer) => answer.id === id) ?? all.find((answer) => answer.id === undefined)
  }

  /** The answer that ends; without an id the oldest one. */
  findEnding(id: string | undefined): OpenAnswer | undefined {
    return id === undefined ? this.all[0] : this.find(id)
  }

  hasEnded(id: string | undefined): boolean {
    return id !== undefined && this.#ended.has(id)
  }

  end(answer: OpenAnswer, id: string | undefined): void {
    this.#open.delete(answer)
    if (id === undefined) return
    this.#ended.add(id)
    const [oldest] = this.#ended
    if (oldest !== undefined && this.#ended.size > ENDED_KEPT_MAX) this.#ended.delete(oldest)
  }
}
