import { moment, text } from '../cell.ts'
import type { Source, SourceRow } from '../source.ts'
import { hasValue, readDollars, readList, readPeriod } from './cells.ts'

/** Rows in the form of new-api, made of LiteLLM's users, teams and keys. */
export interface LitellmRows {
  readonly users: readonly SourceRow[]
  readonly tokens: readonly SourceRow[]
}

/**
 * LiteLLM has no limit where no budget is set. The largest balance that a console can set stands for it, so that
 * calls work as before and what is used is still counted.
 */
export const UNLIMITED_UNITS = 1_000_000_000_000_000n

const ROLE_ADMIN = 10n
const ROLE_USER = 1n

export function isLitellm({ tables }: Source): boolean {
  return tables.has('LiteLLM_VerificationToken')
}

/**
 * Reads the tables whole: LiteLLM has no numbers for rows, so they get those of their order. A team becomes a user
 * who owns its keys, because LiteLLM charges them to the team alone.
 */
export async function readLitellm(source: Source): Promise<LitellmRows> {
  const people = await readAll(source, 'LiteLLM_UserTable')
  const teams = await readAll(source, 'LiteLLM_TeamTable')
  const keys = await readAll(source, 'LiteLLM_VerificationToken')
  const budgets = await readAll(source, 'LiteLLM_BudgetTable')
  const budgetById = new Map(budgets.map((row) => [text(row, 'budget_id'), row]))
  const teamById = new Map(teams.map((row) => [text(row, 'team_id'), row]))
  const owners = new Owners()
  for (const row of people ?? []) owners.addPerson(row)
  for (const row of teams ?? []) owners.addTeam(row)
  const tokens = keys.map((row, place) => {
    const budget = budgetById.get(text(row, 'budget_id'))
    const team = teamById.get(text(row, 'team_id'))
    return tokenRow({
      key: { ...budget, ...withoutEmpty(row) },
      team,
      id: place + 1,
      ownerId: owners.findOwner(row),
    })
  })
  return { users: owners.rows, tokens }
}

function readTime(row: SourceRow): number {
  return moment(row, 'created_at', 0) ?? 0
}

function readName(row: SourceRow): string {
  return text(row, 'token') || text(row, 'user_id') || text(row, 'team_id')
}

async function readAll(source: Source, table: string): Promise<readonly SourceRow[]> {
  const all: SourceRow[] = []
  for await (const rows of source.pages(table)) all.push(...rows)
  return all.toSorted(
    (left, right) => readTime(left) - readTime(right) || (readName(left) < readName(right) ? -1 : 1),
  )
}

/** The limits of the key itself go before those of the budget that it names. */
function withoutEmpty(row: SourceRow): SourceRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => hasValue(row, name)))
}

class Owners {
  readonly rows: SourceRow[] = []
  readonly #byPerson = new Map<string, number>()
  readonly #byTeam = new Map<string, number>()
  #nobody: number | undefined

  addPerson(row: SourceRow): void {
    const id = text(row, 'user_id')
    const isAdmin = /^proxy_admin$/.test(text(row, 'user_role'))
    this.#byPerson.set(
      id,
      this.#add({
        username: text(row, 'user_alias') || text(row, 'user_email') || id,
        email: text(row, 'user_email'),
        role: isAdmin ? ROLE_ADMIN : ROLE_USER,
        status: 1n,
        ...readFigures(row),
      }),
    )
  }

  addTeam(row: SourceRow): void {
    const id = text(row, 'team_id')
    const status = text(row, 'blocked') === '1' ? 2n : 1n
    const username = `team ${text(row, 'team_alias') || id}`
    this.#byTeam.set(id, this.#add({ username, role: ROLE_USER, status, ...readFigures(row) }))
  }

  /** A key of a team is charged to the team, whoever made it; one of nobody belongs to a user of its own. */
  findOwner(key: SourceRow): number {
    const [team, person] = [text(key, 'team_id'), text(key, 'user_id')]
    return (
      this.#byTeam.get(team) ??
      this.#byPerson.get(person) ??
      (this.#nobody ??= this.#add({
        username: 'keys without owner',
        role: ROLE_USER,
        status: 1n,
        quota: UNLIMITED_UNITS,
      }))
    )
  }

  #add(row: SourceRow): number {
    const id = this.rows.length + 1
    this.rows.push({ password: '', group: 'default', ...row, id: BigInt(id) })
    return id
  }
}

/** What is left of a budget; one that is overdrawn blocks in LiteLLM, and is no debt. */
function readFigures(row: SourceRow): SourceRow {
  const spent = readDollars(row, 'spend')
  const rest = readDollars(row, 'max_budget') - spent
  const quota = hasValue(row, 'max_budget') ? (rest > 0n ? rest : 0n) : UNLIMITED_UNITS
  return { quota, used_quota: spent }
}

interface KeyInput {
  readonly key: SourceRow
  readonly team: SourceRow | undefined
  readonly id: number
  readonly ownerId: number
}

function tokenRow({ key, team = {}, id, ownerId }: KeyInput): SourceRow {
  const hash = text(key, 'token')
  const isHash = /^[0-9a-f]{64}$/i.test(hash)
  const models = allowedModels(key, team)
  const expires = moment(key, 'expires', 1)
  return {
    id: BigInt(id),
    user_id: BigInt(ownerId),
    name: (text(key, 'key_alias') || text(key, 'key_name') || `key ${id}`).slice(0, 50),
    key: isHash ? '' : hash.replace(/^sk-/, ''),
    whole_key_hash: isHash ? hash : '',
    key_preview: text(key, 'key_name') || '***',
    status: text(key, 'blocked') === '1' ? 2n : 1n,
    created_time: BigInt(Math.floor((moment(key, 'created_at', 0) ?? 0) / 1000)),
    expired_time: expires === null ? -1n : BigInt(Math.max(1, Math.floor(expires / 1000))),
    model_limits_enabled: models.length > 0 ? 1n : 0n,
    model_limits: models.join(','),
    group: '',
    ...readLimits(key, team),
    ...readBudget(key),
  }
}

/** Words that stand for lists of models. */
const ALL_MODELS = new Set(['all-proxy-models', '*'])
const TEAM_MODELS = 'all-team-models'
/** Refused by every channel: a list that leaves nothing must not become no list. */
const NO_MODELS = 'no-default-models'

/** No list, or a word for all models, is no limit. */
function isOpen(list: readonly string[]): boolean {
  return list.length === 0 || list.some((model) => ALL_MODELS.has(model))
}

function allowedModels(key: SourceRow, team: SourceRow): readonly string[] {
  const own = readList(key, 'models').filter((model) => model !== TEAM_MODELS)
  const teams = readList(team, 'models')
  if (isOpen(own)) return isOpen(teams) ? [] : teams
  if (isOpen(teams)) return own
  const both = own.filter((model) => teams.includes(model))
  return both.length > 0 ? both : [NO_MODELS]
}

const LIMITS = ['rpm_limit', 'tpm_limit', 'max_parallel_requests'] as const

/** The smaller of the key's and the team's. A limit of zero lets nothing through; here zero is no limit. */
function readLimits(key: SourceRow, team: SourceRow): SourceRow {
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const values = [key, team].filter((row) => hasValue(row, name)).map((row) => Number(text(row, name)))
      return values.length === 0 ? [] : [[name, BigInt(Math.max(1, Math.min(...values)))]]
    }),
  )
}

function readBudget(key: SourceRow): SourceRow {
  const spent = readDollars(key, 'spend')
  const budget = readDollars(key, 'max_budget')
  const used = { used_quota: spent }
  if (!hasValue(key, 'max_budget')) return { ...used, unlimited_quota: 1n, remain_quota: 0n }
  const period = readPeriod(text(key, 'budget_duration'))
  if (period !== undefined)
    return { ...used, unlimited_quota: 1n, remain_quota: 0n, budget_quota: budget, budget_period: period }
  const rest = budget - spent
  return { ...used, unlimited_quota: 0n, remain_quota: rest > 0n ? rest : 0n }
}
