import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/** Wraps a secret so that printing, logging or serialising it shows `[secret]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the clear text. Call it only where the secret leaves the process. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
