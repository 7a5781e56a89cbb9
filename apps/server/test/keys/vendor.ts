import type { ExchangeAnswer, ExchangeRequest } from '@tollgate/egress/egress'
import { problem } from '@tollgate/problems/problem'

/** A vendor of OAuth credentials: each refresh token works once, as with the real one. */
export class Vendor {
  /** The failure to simulate, of the connection or of the vendor. */
  trouble: 'none' | 'down' | 'unreachable' | 'echoes' = 'none'
  asked = 0
  readonly #nowMs: () => number
  #valid: string
  #count = 1
  /** Awaited before a response is sent. */
  beforeAnswer: () => Promise<void> = async () => undefined

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#valid = 'refresh-secret-1'
  }

  /** A credential with the currently valid refresh token. */
  key(lifeMs: number): string {
    return JSON.stringify({
      access_token: this.#token(lifeMs),
      refresh_token: this.#valid,
      account_id: 'account-1',
    })
  }

  async exchange({ body }: Pick<ExchangeRequest, 'body'>): Promise<ExchangeAnswer> {
    this.asked++
    if (this.trouble === 'unreachable') throw problem('do_request_failed')
    if (this.trouble === 'down') return answer(503, { error: { message: 'down' } })
    const reported: { refresh_token?: string } = JSON.parse(String(body))
    if (this.trouble === 'echoes')
      return answer(401, { error: { code: 'x', message: `no such ${reported.refresh_token}` } })
    if (reported.refresh_token !== this.#valid)
      return answer(401, { error: { code: 'refresh_token_reused', message: 'used' } })
    this.#valid = `refresh-secret-${++this.#count}`
    const fresh = { access_token: this.#token(TEN_DAYS_MS), refresh_token: this.#valid }
    await this.beforeAnswer()
    return answer(200, fresh)
  }

  #token(lifeMs: number): string {
    const seconds = Math.floor(this.#nowMs() / 1000)
    const claims = { iat: seconds, exp: seconds + Math.floor(lifeMs / 1000), n: this.#count }
    return `access.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.secret`
  }
}

export const TEN_DAYS_MS = 10 * 24 * 3600 * 1000

function answer(status: number, body: unknown): ExchangeAnswer {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) }
}
