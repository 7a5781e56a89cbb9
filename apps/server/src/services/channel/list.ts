import type { Channel, channelRoutes } from '@tollgate/contract/channel'
import {
  type ChannelFilter,
  countChannelTags,
  countChannels,
  listChannelTags,
  listChannels,
} from '@tollgate/store/channels/channel-pages'
import {
  type ChannelRow,
  channelKeyContext,
  findChannelKeysByPreview,
} from '@tollgate/store/channels/channels'
import type { z } from 'zod'
import { Answer, type Handler } from '../handler.ts'
import { openChannel, storedChannel } from './stored-channel.ts'
import { previewKeys, splitKeys } from './keys.ts'
import type { ChannelServices } from './services.ts'
import { toWireChannel } from './wire.ts'

type Query = z.output<typeof channelRoutes.list.query>

export function listOrSearchChannels(
  services: ChannelServices,
): Handler<typeof channelRoutes.list> & Handler<typeof channelRoutes.search> {
  return async ({ query }) => {
    const filter = await readFilter(services, query)
    return query.tag_mode ? pageOfTags(services, filter, query) : pageOfChannels(services, filter, query)
  }
}

async function pageOfChannels({ store, cipher }: ChannelServices, filter: ChannelFilter, query: Query) {
  const { sort: by, descending: isDescending, id_sort: byId } = query
  const sort = by === undefined ? undefined : { by, isDescending }
  const page = { offset: query.p * query.page_size, limit: query.page_size, byId, sort }
  const [rows, total] = await Promise.all([listChannels(store, filter, page), countChannels(store, filter)])
  return answer(wire(rows, cipher), total)
}

const CHANNELS_OF_TAGS_MAX = 5000

/** A page of matching tags with every channel of each; the client groups them. */
async function pageOfTags({ store, cipher }: ChannelServices, filter: ChannelFilter, query: Query) {
  const page = { offset: query.p * query.page_size, limit: query.page_size }
  const [tags, total] = await Promise.all([
    listChannelTags(store, filter, page),
    countChannelTags(store, filter),
  ])
  if (tags.length === 0) return answer([], total)
  const all = { offset: 0, limit: CHANNELS_OF_TAGS_MAX, byId: query.id_sort }
  const rows = await listChannels(store, { tags }, all)
  const inOrder = rows.toSorted((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag))
  return answer(wire(inOrder, cipher), total)
}

function wire(rows: readonly ChannelRow[], cipher: ChannelServices['cipher']): Channel[] {
  return rows.map((row) => toWireChannel(openChannel(row, cipher)))
}

function answer(data: Channel[], total: number): Answer<Channel[]> {
  return new Answer({ data, extra: { total } })
}

/** Consoles written for new-api send the text `null` for "no group". */
async function readFilter(services: ChannelServices, query: Query): Promise<ChannelFilter> {
  const { keyword, model, status, type, test_outcome: testOutcome } = query
  const keywordIds = keyword === undefined ? undefined : await channelsWithKey(services, keyword)
  return {
    keyword,
    keywordIds,
    model,
    status,
    type,
    testOutcome,
    group: query.group === 'null' ? undefined : query.group,
  }
}

/**
 * Finds the channels that have the keyword as a complete key. Stored keys are compared but never shown. JSON
 * keys are too long for a keyword.
 */
async function channelsWithKey({ store, cipher }: ChannelServices, keyword: string): Promise<number[]> {
  if (keyword.startsWith('{')) return []
  const candidates = await findChannelKeysByPreview(store, previewKeys(keyword))
  const wanted = splitKeys(keyword).join('\n')
  return candidates
    .filter(({ id, key_sealed: sealed }) => cipher.decrypt(sealed, channelKeyContext(id)) === wanted)
    .map(({ id }) => id)
}

export function getChannel(services: ChannelServices): Handler<typeof channelRoutes.get> {
  return async ({ params }) => toWireChannel(await storedChannel(services, params.id))
}
