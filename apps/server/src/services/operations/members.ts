import { type MemberSightingRow, operationsRoutes } from '@tollgate/contract/operations'
import { providers } from '@tollgate/providers/index'
import { listMemberSightings } from '@tollgate/store/operations/member-sightings'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

export type MembersServices = Pick<Services, 'store' | 'options'>

const LISTED_MAX = 200

/** Members of requests that no table knows, and those that were taken out, with the channels that served. */
export function listMembers({ store, options }: MembersServices): Handler<typeof operationsRoutes.members> {
  return async () => {
    const [unknown, taken] = await Promise.all([
      listMemberSightings(store, 'unknown', LISTED_MAX),
      listMemberSightings(store, 'taken', LISTED_MAX),
    ])
    const channels = await store.selectFrom('channels').select(['id', 'name', 'type']).execute()
    const byId = new Map(channels.map((channel) => [channel.id, channel]))
    const labels = new Map(providers.map(({ type, label }) => [type, label]))
    const harmless = new Set(options.get('member_setting.harmless_members'))
    const shown = (row: (typeof unknown)[number]): MemberSightingRow => {
      const channel = byId.get(row.channel_id)
      const { wire, member, channel_id, client, client_version, passed, taken: takenOut } = row
      return {
        wire,
        member,
        channel_id,
        client,
        client_version,
        passed,
        taken: takenOut,
        channel_name: channel?.name ?? '',
        provider: labels.get(channel?.type ?? -1) ?? '',
        first_time: Math.floor(row.first_ms / 1000),
        last_time: Math.floor(row.last_ms / 1000),
        is_harmless: harmless.has(`${wire} ${member}`),
      }
    }
    return { unknown: unknown.map(shown), taken: taken.map(shown) }
  }
}
