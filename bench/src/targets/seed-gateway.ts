import { type AdminApi, openAdminApi, read } from '../admin-api.ts'
import type { Upstreams } from '../upstreams.ts'
import { kinds, models, type Kind } from '../workload.ts'

const CHANNEL_TYPE_OPENAI = 1
const CHANNEL_TYPE_GEMINI = 24

/** Sets up a fresh gateway through its own API, as an operator would, and returns a token for the load. */
export async function seedGateway(origin: string, upstreams: Upstreams): Promise<string> {
  const admin = await openAdminApi(origin)
  for (const kind of kinds) {
    const { origin, moreOrigins = [] } = upstreams[kind]
    for (const each of [origin, ...moreOrigins]) await addChannel(admin, kind, each)
  }
  const key = String(read(await admin.call('/api/token', { name: 'bench', unlimited_quota: true }), 'key'))
  return key.startsWith('sk-') ? key : `sk-${key}`
}

async function addChannel(admin: AdminApi, kind: Kind, origin: string): Promise<void> {
  await admin.call('/api/channel', {
    type: kind === 'generate' ? CHANNEL_TYPE_GEMINI : CHANNEL_TYPE_OPENAI,
    name: kind,
    key: 'sk-upstream',
    base_url: origin,
    models: models[kind],
    group: 'default',
  })
}
