import type { AdminUser } from '@tollgate/contract/admin-user'
import type { AuditRow } from '@tollgate/contract/audit'
import type { OptionChange } from '@tollgate/contract/option-history'
import { optionDefinition, optionKeys } from '@tollgate/contract/options/index'
import { self, tokens } from './mock-data.ts'
import { type MockAnswer, get, list, type MockRoute, type MockSite, ok, page, route } from './mock-parts.ts'

const now = Math.floor(Date.now() / 1000)
const names = ['lin.wei', 'm.costa', 'a.novak', '王小明', 'k.tanaka', 'r.singh', 'e.berg', 'team-ci']
const allowed = {
  view: null,
  edit: null,
  quota: null,
  promote: null,
  demote: null,
  enable: null,
  disable: null,
  delete: null,
}

const users: AdminUser[] = names.map((username, index) => ({
  ...self,
  id: names.length - index,
  username,
  display_name: index % 3 === 0 ? `Display ${index}` : username,
  role: index === 3 ? 10 : 1,
  status: index === 5 ? 2 : 1,
  quota: 2_000_000 * (index + 1),
  DeletedAt: index === 6 ? '2026-11-01T10:00:00.000Z' : null,
  remark: '',
  created_time: now - 86_400 * (index + 3),
  last_seen_time: index % 2 === 0 ? now - 600 * index : 0,
  can: allowed,
}))

const auditRows: AuditRow[] = Array.from({ length: 34 }, (_, index) => ({
  id: 34 - index,
  created_at: now - index * 900,
  actor_id: 1,
  actor_name: 'root',
  action: (['update', 'disable', 'quota'] as const)[index % 3] ?? 'update',
  entity: index % 3 === 0 ? 'option' : 'user',
  entity_id: index % 3 === 0 ? 'SystemName' : String(1 + (index % 8)),
  before: index % 3 === 0 ? '"East"' : '{"status":1,"quota":0}',
  after: index % 3 === 0 ? '"West"' : '{"status":2,"quota":5000000}',
  address: '203.0.113.7',
}))

const changes: OptionChange[] = Array.from({ length: 5 }, (_, index) => ({
  id: 5 - index,
  key: 'SystemName',
  before: index === 4 ? null : `Gate ${4 - index}`,
  after: `Gate ${5 - index}`,
  version: 5 - index,
  changed_at: now - index * 3600,
  changed_by: 1,
  changed_by_name: 'root',
  can_revert: true,
}))

/** Mock routes for users, the audit log and the settings, backed by plain arrays. */
export function administration(site: MockSite): readonly MockRoute[] {
  const settings = new Map<string, string>(
    optionKeys.map((key) => [key, optionDefinition(key).default ?? '{}']),
  )
  const rowsOf = <Row>(rows: readonly Row[]) => (site.isEmpty ? [] : rows)
  const inPages =
    (rows: readonly { readonly id: number }[]) =>
    ({ query }: { readonly query: URLSearchParams }): MockAnswer =>
      list(site, () => ok(page(rowsOf(rows), query)))
  return [
    get('/api/user(/search)?', inPages(users)),
    get('/api/user/\\d+', ({ path }) => ok(users.find(({ id }) => id === Number(path.split('/').at(-1))))),
    get('/api/user/\\d+/tokens', inPages(tokens)),
    get('/api/user/\\d+/entries', inPages([])),
    get('/api/audit', inPages(auditRows)),
    get('/api/option/history', inPages(changes)),
    get('/api/option', () =>
      list(site, () => ok([...settings].map(([key, value]) => ({ key, value, version: 0 })))),
    ),
    route('PUT', '/api/option', ({ body }) => {
      settings.set(String(body['key']), String(body['value']))
      return ok(null)
    }),
  ]
}
