import { administration } from './mock-administration.ts'
import {
  callSessions,
  channels,
  channelTypes,
  logRows,
  models,
  self,
  sessions,
  status,
  today,
  tokens,
} from './mock-data.ts'
import {
  type MockAnswer,
  type MockRequest,
  get,
  list,
  type MockRoute,
  type MockSite,
  ok,
  page,
  refused,
  route,
  type MockRow,
} from './mock-parts.ts'

/** Mock versions of the routes that the console calls, backed by plain arrays. */
export function mockRoutes(site: MockSite): readonly MockRoute[] {
  const reader = () => ({ ...self, ...nameOf(site.roleOfReader), role: site.roleOfReader })
  return [
    get('/api/status', () => ok({ ...status, setup: site.isSetUp })),
    get('/api/(about|notice|home_page_content)', () => ok('')),
    get('/api/setup', () => ok({ status: site.isSetUp, root_init: false, database_type: 'sqlite' })),
    route('POST', '/api/setup', () => {
      site.isSetUp = true
      return ok(null)
    }),
    route('POST', '/api/user/login', ({ body }) => {
      const name = String(body['username'])
      if (body['password'] === 'wrong') return refused('Wrong name or password, or the user is disabled')
      site.roleOfReader = name.startsWith('root') ? 100 : name.startsWith('admin') ? 10 : 1
      return ok(reader())
    }),
    get('/api/user/logout', () => ok(null)),
    get('/api/user/self', () => ok(reader())),
    get('/api/user/aff', () => ok('x7QdAb2k')),
    get('/api/user/sessions', () => ok(sessions)),
    get('/api/user/check_in_status', () =>
      ok({ can_check_in: true, day: today(), quota_min: 5000, quota_max: 50_000 }),
    ),
    get('/api/user/check_in_calendar', ({ query }) => {
      const month = query.get('month') ?? today().slice(0, 7)
      const days = ['02', '03', '05'].map((day) => ({ day: `${month}-${day}`, quota: 5000 }))
      return ok({ month, today: today(), can_check_in: true, days })
    }),
    get('/api/user/models', () => ok(models)),
    get('/api/user/self/groups', () =>
      ok({ default: { ratio: 1, desc: 'Default' }, vip: { ratio: 0.9, desc: 'VIP' } }),
    ),
    get('/api/group', () => ok(['default', 'vip'])),
    get('/api/models', () => ok({ 1: models, 14: ['claude-sonnet-4-6'] })),
    get('/api/log(/self)?/stat', () =>
      ok({
        quota: 2_109_151,
        rpm: 37,
        tpm: 214_000,
        token: 7_232_000,
        prompt_tokens: 6_420_000,
        completion_tokens: 812_000,
        count: 1284,
      }),
    ),
    get('/api/log(/self)?/session', ({ query }) =>
      list(site, () => ({
        body: {
          success: true,
          message: '',
          data: {
            items: callSessions,
            total: callSessions.length,
            page: Number(query.get('p')),
            page_size: 10,
          },
        },
      })),
    ),
    get('/api/log(/self)?/session/([^/]+)', ({ path }) => {
      const session = callSessions.find((each) => path.endsWith(`/${each.session}`))
      if (session === undefined) return refused('Not found')
      const calls = logRows.filter((row) => row.session === session.session)
      return ok({ session, calls: calls.toReversed() })
    }),
    get('/api/log(/self)?', ({ query }) =>
      list(site, () => ({ body: { success: true, message: '', data: page(logRows, query) } })),
    ),
    ...entity(site, 'token', tokens),
    route('POST', '/api/token/\\d+/key', ({ path }) =>
      ok({ id: Number(path.split('/')[3]), key: 'mockMOCKmockMOCKmockMOCKmockMOCKmockMOCKmockMOCK' }),
    ),
    get('/api/channel/types', () => ok(channelTypes)),
    get('/api/channel/models(_enabled)?', () => ok(models.map((id) => ({ id })))),
    get('/api/channel/test/\\d+', () => ({ body: { success: true, message: '', time: 0.42, data: {} } })),
    ...entity(site, 'channel', channels),
    ...administration(site),
  ]
}

function entity(site: MockSite, name: string, rows: MockRow[]): readonly MockRoute[] {
  const at = (asked: MockRequest) =>
    rows.findIndex((row) => row.id === Number(asked.body['id'] ?? asked.path.split('/').at(-1)))
  return [
    get(`/api/${name}(/search)?`, ({ query }) => list(site, () => slice(site.isEmpty ? [] : rows, query))),
    get(`/api/${name}/\\d+`, (asked) => ok(rows[at(asked)])),
    route('POST', `/api/${name}`, ({ body }) => {
      const id = rows.length + 100
      rows.unshift({ ...rows[0], ...body, id })
      return ok({ id, key: 'mockMOCKmockMOCKmockMOCKmockMOCKmockMOCKmockMOCK' })
    }),
    route('PUT', `/api/${name}`, (asked) => {
      const index = at(asked)
      const before = rows[index]
      if (before === undefined) return refused('Not found')
      const after = { ...before, ...asked.body }
      rows[index] = after
      return ok(after)
    }),
    route('DELETE', `/api/${name}/\\d+`, (asked) => {
      rows.splice(at(asked), 1)
      return ok(null)
    }),
  ]
}

/**
 * One page of tokens or channels: `data` is a bare array, pages are counted from 0, and `total` stands beside
 * `data`.
 */
function slice(rows: readonly MockRow[], query: URLSearchParams): MockAnswer {
  const words = query.get('keyword')?.toLowerCase() ?? ''
  const found = rows.filter((row) => JSON.stringify(row).toLowerCase().includes(words))
  const size = Number(query.get('size') ?? query.get('page_size') ?? 10)
  const from = Number(query.get('p') ?? 0) * size
  return { body: { success: true, message: '', data: found.slice(from, from + size), total: found.length } }
}

function nameOf(role: number) {
  const name = role >= 100 ? 'root' : role >= 10 ? 'admin' : 'lin.wei'
  return { username: name, display_name: name }
}
