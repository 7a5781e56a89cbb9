import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import type { Store } from '@tollgate/store/database/open-store'
import { startTestServer } from '../harness.ts'
import type { VendorKind } from './vendor/open-vendor.ts'

/** The real application in front of one scripted vendor, with a caller's key. */
export interface AgentGateway {
  readonly address: string
  readonly key: string
  /** Waits until every call has ended; returns the consumption rows, oldest first. */
  rows(): Promise<readonly ChargedRow[]>
  /** Units charged to the caller's balance so far. */
  spent(): Promise<bigint>
  close(): Promise<void>
}

export interface ChargedRow {
  readonly quota: bigint
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  /** "" where the caller named none. */
  readonly session: string
  readonly client: string
  readonly other: string
}

export interface AgentGatewayOptions {
  readonly vendorUrl: string
  readonly model?: string
  /** How many keys the channel has; the vendor's cache has prompts for each key of its own. */
  readonly keys?: number
  /** Calls over WebSocket reach the vendor over a WebSocket. */
  readonly passesSockets?: boolean
}

const QUOTA = 10_000_000_000n

/** Channel type and model used for each vendor. */
export const upstreams: Readonly<Record<VendorKind, { readonly type: number; readonly model: string }>> = {
  openai: { type: 1, model: 'gpt-5.2' },
  anthropic: { type: 14, model: 'claude-sonnet-4-5' },
  gemini: { type: 24, model: 'gemini-3-pro' },
  strings: { type: 1, model: 'strings-coder' },
  template: { type: 1, model: 'template-coder' },
}

/** Chosen so that no charge needs rounding. */
export const ratios = { model: 4, completion: 5, cacheRead: 0.25, cacheWrite: 1.25 }

/** Offers the vendor's model under its own name, or under `name` if one is given. */
export async function openAgentGateway(
  kind: VendorKind,
  options: AgentGatewayOptions,
): Promise<AgentGateway> {
  const { vendorUrl, model = upstreams[kind].model, keys = 1, passesSockets = false } = options
  const server = await startTestServer({ isInMemory: true })
  const channel = {
    type: upstreams[kind].type,
    name: kind,
    key: Array.from({ length: keys }, (_, index) => `vendor-key-${index + 1}`).join('\n'),
    setting: passesSockets ? '{"responses_websocket":true}' : '',
    base_url: vendorUrl,
    models: model,
    model_mapping: JSON.stringify({ [model]: upstreams[kind].model }),
    group: 'default',
  }
  await server.root.call(routes.channel.create, { body: { mode: 'multi_to_single', channel } })
  for (const [key, ratio] of Object.entries(RATIO_OPTIONS)) {
    const value = JSON.stringify({ [model]: ratio })
    await server.root.call(routes.option.update, { body: { key, value } })
  }
  const caller = await server.user()
  const owner = accountId('user', caller.id)
  const { ledger, store } = server.server
  await ledger.adjust({ key: `agents:${caller.id}`, account: owner, delta: QUOTA })
  const { key } = await caller.call(routes.token.create, { body: { name: 'agent', unlimited_quota: true } })
  return {
    address: server.address,
    key: key.startsWith('sk-') ? key : `sk-${key}`,
    rows: () => settledRows(store),
    spent: async () => (await ledger.balance(owner))?.used ?? 0n,
    close: () => server.close(),
  }
}

const RATIO_OPTIONS = {
  ModelRatio: ratios.model,
  CompletionRatio: ratios.completion,
  CacheRatio: ratios.cacheRead,
  CreateCacheRatio: ratios.cacheWrite,
}

/**
 * How long to wait until rows and balance agree; a hold that outlives its call shows as a difference between
 * them.
 */
const SETTLED_MS = 20_000

async function settledRows({ db }: Store): Promise<readonly ChargedRow[]> {
  for (const deadline = Date.now() + SETTLED_MS; Date.now() < deadline;) {
    const open = await db.selectFrom('hold').select('id').executeTakeFirst()
    if (!open) break
    await sleep(20)
  }
  const rows = await db.selectFrom('logs').selectAll().where('type', '=', 2).orderBy('id').execute()
  return rows.map(({ quota, prompt_tokens: prompt, completion_tokens: completion, other, ...row }) => ({
    quota,
    prompt,
    completion,
    cached: row.cached_tokens ?? 0,
    session: row.session ?? '',
    client: row.client ?? '',
    other,
  }))
}
