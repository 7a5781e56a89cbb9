import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import type { RunningServer } from '../../src/app/index.ts'
import { startTestServer } from '../harness.ts'
import type { VendorKind } from './vendor/open-vendor.ts'

/** The real application in front of one scripted vendor, with a caller's key. */
export interface AgentGateway {
  readonly key: string
  /** Address of the running node; waits for the next one while a node is drained. */
  readonly address: () => Promise<string>
  /**
   * Drains the node, and starts another one over the same database when it has ended. Resolves when the first accepts
   * no more connections.
   */
  drain(): Promise<void>
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
  /** The books are on disk, so that the node can be drained. */
  readonly isOnDisk?: boolean
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
  const {
    vendorUrl,
    model = upstreams[kind].model,
    keys = 1,
    passesSockets = false,
    isOnDisk = false,
  } = options
  const server = await startTestServer({ isInMemory: !isOnDisk })
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
  await server.server.ledger.adjust({ key: `agents:${caller.id}`, account: owner, delta: QUOTA })
  const { key } = await caller.call(routes.token.create, { body: { name: 'agent', unlimited_quota: true } })
  let node = Promise.resolve(server)
  return {
    key: key.startsWith('sk-') ? key : `sk-${key}`,
    address: async () => (await node).address,
    drain: async () => {
      const first = await node
      node = first.restart({ drainMs: DRAIN_MS })
      await refusal(first.address)
    },
    rows: async () => settledRows((await node).server, owner),
    spent: async () => spentBy((await node).server, owner),
    close: async () => (await node).close(),
  }
}

const DRAIN_MS = 30_000

/** Resolves when nothing listens at the address. */
async function refusal(address: string): Promise<void> {
  const isOpen = () =>
    fetch(`${address}/api/status`).then(
      () => true,
      () => false,
    )
  while (await isOpen()) await sleep(10)
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

async function settledRows(server: RunningServer, owner: number): Promise<readonly ChargedRow[]> {
  for (const deadline = Date.now() + SETTLED_MS; ;) {
    const rows = await rowsIn(server)
    const charged = rows.reduce((sum, { quota }) => sum + quota, 0n)
    const isOpen = await server.store.db.selectFrom('hold').select('id').executeTakeFirst()
    if (Date.now() > deadline || (!isOpen && charged === (await spentBy(server, owner)))) return rows
    await sleep(20)
  }
}

async function spentBy({ ledger }: RunningServer, owner: number): Promise<bigint> {
  return (await ledger.balance(owner))?.used ?? 0n
}

async function rowsIn({ store: { db } }: RunningServer): Promise<readonly ChargedRow[]> {
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
