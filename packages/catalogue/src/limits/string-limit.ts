import type { MemberSource } from '../members/member-row.ts'

/** What a text of a request stands for. */
export type LimitSubject = 'user-id' | 'cache-key' | 'call-id'

/** The formats whose texts have limits; `openai` is every operation of OpenAI's API except Responses. */
export type LimitedWire = 'openai' | 'responses' | 'messages' | 'converse'

/** What a vendor takes for one text. */
export interface StringBounds {
  readonly charactersMin?: number
  readonly charactersMax: number
  /** Matches one character that the vendor refuses. Absent: it takes all. */
  readonly refused?: RegExp
}

/** The limit of one vendor, or of every vendor that speaks a format. */
export interface StringLimit extends StringBounds {
  readonly subject: LimitSubject
  readonly wires: readonly LimitedWire[]
  /** Ids of providers, or `openai-host` for the addresses of OpenAI and Azure. Absent: all. */
  readonly providers?: readonly string[]
  /** Models with the limit, whoever serves them. Absent: all. */
  readonly models?: RegExp
  /**
   * Whether the limit also holds for bodies in the caller's own format. Ids of an unknown server may carry
   * something that it reads, so only conversions change them.
   */
  readonly isForConversions?: true
  readonly source: MemberSource
}

/** Whether a vendor takes the text as it is. */
export function isWithinBounds(text: string, bounds: StringBounds): boolean {
  const { charactersMin = 1, charactersMax, refused } = bounds
  return text.length >= charactersMin && text.length <= charactersMax && refused?.test(text) !== true
}
