import type { ExchangeRequest } from '@tollgate/egress/egress'
import { problem } from '@tollgate/problems/problem'
import type { Provider } from '@tollgate/providers/provider'
import type { ProbeResult } from '../../src/ports/channel-probe.ts'

/** Replaces everything that the services call over the network. */
export class BlockingProxy {
  probeResult: ProbeResult = { ok: true, message: '', durationMs: 1284, keys: [] }
  /** Results by channel id; others get `probeResult`. */
  readonly probeResults = new Map<number, ProbeResult>()
  /** Channels whose test costs as much as a call. */
  readonly costlyChannels = new Set<number>()
  answer = { status: 200, body: '{"data":[{"id":"gpt-4o"},{"id":"o1"},{"id":"gpt-4o"}]}' }
  readonly requests: ExchangeRequest[] = []

  async exchange(request: ExchangeRequest) {
    this.requests.push(request)
    return { status: this.answer.status, headers: {}, body: Buffer.from(this.answer.body) }
  }
}

export const OPENAI = 1

export const CUSTOM = 8

export const SPARK = 18

const common = {
  credentials: {
    hint: 'sk-…',
    check: (key: string) => {
      if (!key.startsWith('sk-')) throw problem('channel_key_invalid', { hint: 'sk-…' })
    },
  },
  authHeaders: ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` }),
  endpoints: {},
} as const

export const providers: readonly Provider[] = [
  {
    ...common,
    id: 'openai',
    type: OPENAI,
    label: 'OpenAI',
    baseUrl: 'https://api.openai.example',
    models: ['gpt-4o', 'o1'],
    balance: { url: ({ baseUrl }) => `${baseUrl}/balance`, read: readLeft },
    modelList: { url: ({ baseUrl }) => `${baseUrl}/v1/models`, read: readNames },
  },
  { ...common, id: 'custom', type: CUSTOM, label: 'Custom', models: ['gpt-4o'] },
  {
    ...common,
    id: 'spark',
    type: SPARK,
    label: 'Spark',
    baseUrl: 'https://spark.example',
    models: ['gpt-4o'],
    other: { label: { en: 'Version', zh: '版本' }, usual: 'v2.1' },
  },
]

function readNames(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return []
  return body.data.flatMap((row: { id?: unknown }) => (typeof row.id === 'string' ? [row.id] : []))
}

function readLeft(body: unknown) {
  const amount = typeof body === 'object' && body !== null && 'left' in body ? Number(body.left) : undefined
  return amount === undefined ? undefined : { amount, currency: 'USD' as const }
}
