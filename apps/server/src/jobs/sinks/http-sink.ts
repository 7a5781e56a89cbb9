import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import { JobFailure, type JobWords } from '../job.ts'

export interface Posting {
  /** Names the receiver in failures. */
  readonly receiver: JobWords
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 1024 * 1024

/** Posts JSON; every answer but 2xx is a `JobFailure`. */
export async function postRows(egress: Pick<Egress, 'exchange'>, posting: Posting): Promise<ExchangeAnswer> {
  const { receiver, url, headers, body, signal } = posting
  const answer = await egress
    .exchange({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof Problem)) throw cause
      const words = {
        en: `${receiver.en} cannot be reached: ${cause.textIn('en')}`,
        zh: `无法连接${receiver.zh}：${cause.textIn('zh')}`,
      }
      throw new JobFailure(words, { cause })
    })
  if (answer.status >= 200 && answer.status <= 299) return answer
  throw new JobFailure({
    en: `${receiver.en} answered ${answer.status}: check its address and secret.`,
    zh: `${receiver.zh}返回 ${answer.status}：请检查地址和密钥。`,
  })
}
