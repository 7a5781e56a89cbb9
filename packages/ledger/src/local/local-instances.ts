import type { AccountId } from '../account.ts'
import type { AllotInput, ReserveInput } from '../inputs.ts'
import type { AllotResult, ReserveResult, ScarceAccount } from '../results.ts'
import type { LocalLedger } from './local-ledger.ts'
import type { MendedCount } from './allotment-check.ts'
import { type Local, type LocalParts, openLocal } from './open-local.ts'

const UNAVAILABLE: ReserveResult = { type: 'unavailable' }
const RETRY_MS = 1_000

/** The grant of a request belongs to another instance than the one that asked. */
export class InstanceEnded extends Error {
  override readonly name = 'InstanceEnded'
}

/**
 * The calls in memory of this process: of its own instance, and of its earlier instances that were declared
 * dead and still have calls in flight. A process over SQLite stays one instance.
 */
export class LocalInstances {
  readonly #parts: LocalParts
  #current: Local | undefined
  readonly #retired = new Set<Local>()
  /** By instances that are closed. */
  #mendedBefore: MendedCount = { accounts: 0, lastMs: 0 }
  #retry: NodeJS.Timeout | undefined
  #cleaning: NodeJS.Timeout | undefined

  /** Throws when the journal cannot be created. */
  constructor(parts: LocalParts) {
    this.#parts = parts
    this.#current = this.#open(parts.instanceId)
  }

  /** This process was declared dead and continues as another instance. Its allotments are gone. */
  reenter(instanceId: string): void {
    clearTimeout(this.#retry)
    const old = this.#current
    this.#current = undefined
    if (old) {
      old.retire()
      this.#retired.add(old)
      this.#cleaning ??= setInterval(() => this.#closeEnded(), RETRY_MS).unref()
    }
    this.#begin(instanceId)
  }

  /** Admits a call of the current instance. Rejects with {@link InstanceEnded} if there is another one since. */
  reserve(input: ReserveInput): ReserveResult | Promise<ReserveResult> {
    return this.#current?.calls.reserve(input) ?? UNAVAILABLE
  }

  /** Where the call is in flight, or `undefined`. */
  callsWith(holdId: string): LocalLedger | undefined {
    if (this.#current?.calls.has(holdId)) return this.#current.calls
    for (const { calls } of this.#retired) if (calls.has(holdId)) return calls
    return undefined
  }

  /** Whether the quota of this call is certainly still set aside for it. Only for calls in memory. */
  isHeld(holdId: string): boolean {
    return this.#current?.calls.isHeld(holdId) ?? false
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#all().map(({ instanceId }) => instanceId))
  }

  async caughtUp(): Promise<void> {
    await Promise.all(this.#all().map((local) => local.caughtUp()))
  }

  async giveBack(accounts: readonly AccountId[]): Promise<void> {
    await this.#current?.giveBack(accounts)
  }

  noteScarce(accounts: readonly ScarceAccount[]): void {
    this.#current?.noteScarce(accounts)
  }

  /** Gives everything back that no call holds. */
  async giveAllBack(): Promise<void> {
    const accounts = this.#current?.calls.accounts.all() ?? []
    for (let first = 0; first < accounts.length; first += RETURNED_AT_ONCE)
      await this.#current?.giveBack(accounts.slice(first, first + RETURNED_AT_ONCE))
  }

  setUnlimited(account: AccountId, isUnlimited: boolean): void {
    this.#current?.calls.accounts.setUnlimited(account, isUnlimited)
  }

  synced(): Promise<void> | undefined {
    return this.#current?.synced?.()
  }

  health() {
    const all = this.#all()
    const sum = (part: (local: Local) => number): number => all.reduce((total, each) => total + part(each), 0)
    const since = all.flatMap((local) => local.unfoldedSinceMs() ?? [])
    return {
      isAdmitting: this.#current?.calls.isAdmitting ?? false,
      openCalls: sum(({ calls }) => calls.openCalls),
      refused: sum(({ calls }) => calls.refused),
      unfoldedBytes: sum((local) => local.unfoldedBytes()),
      foldLagMs: since.length === 0 ? 0 : Math.max(0, this.#parts.clock.nowMs() - Math.min(...since)),
      allotmentsMended: sum((local) => local.mended().accounts) + this.#mendedBefore.accounts,
      allotmentMendedMs: Math.max(this.#mendedBefore.lastMs, ...all.map((local) => local.mended().lastMs)),
      allotments: this.#current?.calls.accounts.allotments ?? 0,
    }
  }

  /** Age of the oldest call in flight; 0 when there is none. */
  oldestCallMs(): number {
    const oldest = this.#all().flatMap(({ calls }) => calls.oldestCreatedMs ?? [])
    return oldest.length === 0 ? 0 : Math.max(0, this.#parts.clock.nowMs() - Math.min(...oldest))
  }

  /** Resolves to false when not everything could be written to the ledger. */
  async close(): Promise<boolean> {
    clearTimeout(this.#retry)
    clearInterval(this.#cleaning)
    const closed = await Promise.all(this.#all().map((local) => local.close()))
    return closed.every(Boolean)
  }

  #all(): readonly Local[] {
    return this.#current ? [this.#current, ...this.#retired] : [...this.#retired]
  }

  #open(instanceId: string): Local {
    const allot = async (input: AllotInput): Promise<AllotResult> => {
      const result = await this.#parts.allot(input)
      if (result.type !== 'allotted' || result.instanceId === instanceId) return result
      this.#keep(result)
      throw new InstanceEnded('the instance was declared dead while it asked')
    }
    return openLocal({ ...this.#parts, instanceId, allot })
  }

  /** A grant to the current instance that an earlier one had asked for. */
  #keep({ grants, instanceId }: Extract<AllotResult, { type: 'allotted' }>): void {
    const current = this.#current
    if (current?.instanceId !== instanceId) return
    for (const grant of grants) {
      const account = current.calls.accounts.of(grant.account)
      account.receive(grant)
      current.calls.accounts.note(account)
    }
  }

  #begin(instanceId: string): void {
    try {
      this.#current = this.#open(instanceId)
    } catch (error) {
      const detail = `no calls are admitted: the journal cannot be created: ${String(error)}`
      this.#parts.onAlarm({ type: 'store_failed', detail })
      this.#retry = setTimeout(() => this.#begin(instanceId), RETRY_MS).unref()
    }
  }

  #closeEnded(): void {
    for (const local of this.#retired) {
      if (local.calls.openCalls > 0 || local.unfoldedBytes() > 0) continue
      this.#retired.delete(local)
      const { accounts, lastMs } = local.mended()
      this.#mendedBefore = {
        accounts: this.#mendedBefore.accounts + accounts,
        lastMs: Math.max(this.#mendedBefore.lastMs, lastMs),
      }
      void local.close()
    }
    if (this.#retired.size > 0) return
    clearInterval(this.#cleaning)
    this.#cleaning = undefined
  }
}

const RETURNED_AT_ONCE = 200
