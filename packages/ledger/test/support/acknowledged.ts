import type { Store } from '@tollgate/store/database/open-store'

/**
 * Acknowledgements of a process under load, collected outside of it, and the check that a ledger contains
 * them.
 */
export class AcknowledgementLog {
  readonly #reserved = new Set<string>()
  readonly #amounts = new Map<string, bigint>()
  readonly #checkpoints = new Map<string, bigint>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds one output line of the process. */
  add(line: string): void {
    const [what, name = '', amount = '0'] = line.split(' ')
    this.#count++
    if (what === 'reserved') this.#reserved.add(name)
    else if (what === 'checkpointed') this.#checkpoints.set(name, BigInt(amount))
    else if (what === 'credited') this.#amounts.set(name, BigInt(amount))
    else if (what === 'settled') this.#amounts.set(`consume:${name}`, BigInt(amount))
    else throw new Error(`unknown acknowledgement: ${line}`)
  }

  /** All differences between the acknowledged operations and the entries of a recovered ledger. */
  async differences(store: Store): Promise<readonly string[]> {
    const entries = await entriesByKey(store)
    const lost = [...this.#amounts].filter(([key, amount]) => entries.get(key)?.amount !== amount)
    const undone = [...this.#amounts.keys()].filter((key) => entries.get(key)?.flags.includes('recovered'))
    const open = [...this.#reserved].filter((id) => !entries.has(`consume:${id}`))
    const wrong = [...this.#checkpoints].filter(([id, amount]) =>
      isChargedLess(entries.get(`consume:${id}`), amount),
    )
    return [
      ...lost.map(
        ([key, amount]) => `${key} was acknowledged with ${amount}, found ${entries.get(key)?.amount}`,
      ),
      ...undone.map((key) => `${key} was acknowledged as settled but recovered`),
      ...open.map((id) => `${id} was reserved and has no end`),
      ...wrong.map(([id, amount]) => `${id} was recovered for other than its checkpoint of ${amount}`),
      ...(await this.#missingRows(store)),
    ]
  }

  /** The number of calls in the books that ended with their process. */
  async recovered(store: Store): Promise<number> {
    const entries = await entriesByKey(store)
    return [...entries.values()].filter(({ flags }) => flags.includes('recovered')).length
  }

  async #missingRows(store: Store): Promise<readonly string[]> {
    const rows = await store.db.selectFrom('logs').select(['request_id', 'quota']).execute()
    const quotas = new Map(rows.map((row) => [`consume:${row.request_id}`, row.quota]))
    const settled = [...this.#amounts].filter(([key]) => key.startsWith('consume:'))
    return settled
      .filter(([key, amount]) => quotas.get(key) !== amount)
      .map(([key]) => `the usage row of ${key} is missing or wrong`)
  }
}

interface FoundEntry {
  readonly amount: bigint
  readonly flags: readonly string[]
}

/**
 * A normally settled call may cost any amount. A recovered call must cost its checkpoint, which is within its
 * hold in these tests.
 */
function isChargedLess(entry: FoundEntry | undefined, checkpoint: bigint): boolean {
  return entry !== undefined && entry.flags.includes('recovered') && entry.amount !== checkpoint
}

async function entriesByKey(store: Store): Promise<ReadonlyMap<string, FoundEntry>> {
  const rows = await store.db.selectFrom('entry').select(['op_key', 'amount', 'flags']).execute()
  return new Map(rows.map(({ op_key, amount, flags }) => [op_key, { amount, flags: flags.split(',') }]))
}
