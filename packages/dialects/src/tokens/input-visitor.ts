import type { MediaCount } from './media.ts'

/** Receives all contents of a request that cost tokens. */
export interface InputVisitor {
  readonly text: (text: string) => void
  /** JSON that the model sees verbatim, such as tool definitions. */
  readonly json: (bytes: Buffer, start: number, end: number) => void
  /** Tokens that the dialect itself adds for structure. */
  readonly tokens: (count: number) => void
  readonly media: (count: MediaCount) => void
}

export interface InputCount {
  /** Tokens of text, roles, names and tools. */
  readonly textTokens: number
  /** Tokens of images, audio and files, by a likely size. */
  readonly mediaTokens: number
  /** Tokens of images, audio and files, by the largest possible size. */
  readonly mediaTokensMax: number
}
