import type { MediaCount } from './media.ts'

/** Receives everything of a request that costs tokens. */
export interface InputVisitor {
  readonly text: (text: string) => void
  /** JSON the model sees as it is, such as tool definitions. */
  readonly json: (bytes: Buffer, start: number, end: number) => void
  /** Tokens the dialect itself spends on structure. */
  readonly tokens: (count: number) => void
  readonly media: (count: MediaCount) => void
}

export interface InputCount {
  /** Text, roles, names and tools. */
  readonly textTokens: number
  /** Images, audio and files by a likely size. */
  readonly mediaTokens: number
  /** The same by the largest size they could have. */
  readonly mediaTokensMax: number
}
