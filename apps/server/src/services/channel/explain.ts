import type { channelInsightRoutes } from '@tollgate/contract/channel-insight'
import { USER_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { readToken } from '@tollgate/store/operations/snapshot-reads'
import { autoOrder, isAuto } from '../../snapshots/auto-groups.ts'
import type { OwnerEntry, Snapshots, TokenEntry } from '../../snapshots/snapshots.ts'
import type { Call, Handler } from '../handler.ts'
import type { RouteExplanation, RouteQuestion } from '../../ports/channel-insight.ts'
import type { ChannelServices } from './services.ts'

type Ask = Call<typeof channelInsightRoutes.explain>

/** Simulates which channels would serve a call of this token or user, with the relay's own routing rules. */
export function explainRoute(services: ChannelServices): Handler<typeof channelInsightRoutes.explain> {
  return async (call) => {
    const { body } = call
    const asker = await askerOf(services, body)
    const retries = body.retries ?? services.snapshots.settings().retryTimes
    const found = await services.routing.explain({
      group: asker.group,
      model: body.model,
      operation: body.operation,
      retries,
      failing: new Set(body.failing),
      draws: body.draws,
      session: body.session || undefined,
      ruled: ruledOf(asker, body),
    })
    return {
      group: asker.group,
      model: found.model,
      retries,
      draws: body.draws,
      refusal: refusalOf(services, asker, call),
      channels: found.channels.map(wireChannel),
      attempts: found.attempts.map((drawn) => [...drawn].map(([id, count]) => ({ channel_id: id, count }))),
      unserved: found.unserved,
      affinity: found.affinity && wireAffinity(found.affinity),
      affinity_rules: [...found.rules],
    }
  }
}

function ruledOf({ owner, token }: Asker, body: Ask['body']): RouteQuestion['ruled'] {
  const { affinity_rule: rule = '', affinity_value: value = '' } = body
  return rule === '' || owner === undefined ? undefined : { rule, value, owner, token }
}

interface Asker {
  readonly group: string
  readonly token?: TokenEntry
  readonly owner?: OwnerEntry
}

async function askerOf({ store, snapshots }: ChannelServices, body: Ask['body']): Promise<Asker> {
  if (typeof body.token_id === 'number') {
    const row = await readToken(store, body.token_id)
    const token = row && findEntry(snapshots, row.key_hash)
    if (!token) throw problem('not_found')
    return { token, owner: token.owner, group: groupOf(token, body, snapshots) }
  }
  if (typeof body.user_id === 'number') {
    const owner = snapshots.keyring.owner(body.user_id)
    if (!owner) throw problem('not_found')
    return { owner, group: body.group || owner.group }
  }
  return { group: body.group || 'default' }
}

/** For a token that tries several groups in order: the first group that has a channel for the model. */
function groupOf(token: TokenEntry, { model }: Ask['body'], snapshots: ChannelServices['snapshots']): string {
  const prices = snapshots.prices()
  if (!isAuto(token.group, prices)) return token.group === '' ? token.owner.group : token.group
  const order = autoOrder(token, prices, snapshots.settings().autoGroups)
  const serving = order.find((group) => snapshots.roster().candidates(group, model).tiers.length > 0)
  return serving ?? order[0] ?? token.group
}

/** The error that would refuse the call before routing, as its caller would see it; "" if there is none. */
function refusalOf({ snapshots }: ChannelServices, asker: Asker, { body, language }: Ask): string {
  const { token, owner, group } = asker
  const prices = snapshots.prices()
  const { model } = body
  if (owner !== undefined && owner.status !== USER_STATUS.enabled)
    return problem('user_banned').textIn(language)
  if (token?.models !== undefined && !token.models.has(model))
    return problem('model_not_allowed', { model }).textIn(language)
  if (
    token &&
    owner &&
    token.group !== '' &&
    token.group === group &&
    !prices.usableGroups(owner.group).has(token.group)
  )
    return problem('token_group_disabled', { group }).textIn(language)
  if (!prices.hasGroup(group)) return problem('group_deprecated', { group }).textIn(language)
  return ''
}

function wireChannel({ channel, standing, tier, share, keysReady }: RouteExplanation['channels'][number]) {
  return {
    channel_id: channel.id,
    name: channel.name,
    type: channel.type,
    priority: channel.priority,
    weight: channel.weight,
    standing,
    tier: tier === undefined ? undefined : tier + 1,
    share,
    keys: channel.keys.length,
    keys_ready: keysReady,
  }
}

/** The hash is of one of the two forms of a key. */
function findEntry({ keyring }: Pick<Snapshots, 'keyring'>, hash: string) {
  return keyring.byKeyHash(hash) ?? keyring.byWholeKeyHash(hash)
}

function wireAffinity(affinity: NonNullable<RouteExplanation['affinity']>) {
  const { result } = affinity
  if (result === 'none') return { result, reason: affinity.reason }
  const rule = affinity.rule && { rule: affinity.rule.name, stays_on_failure: affinity.rule.staysOnFailure }
  if (result === 'new') return { result, ...rule }
  return { result, channel_id: affinity.channelId, key: affinity.keyIndex, ...rule }
}
