import { type ManualClock } from '@tollgate/kit/clock'
import { openTaskUpstream, type UpstreamAnswer } from '@tollgate/testkit/fake-task-upstream'
import { pollTasks } from '../../src/jobs/poll-tasks.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/** The relay in front of an upstream for drawings and songs, with helpers shared by the task tests. */
export type TaskHarness = Awaited<ReturnType<typeof openTaskHarness>>

export const IMAGINE = '/mj/submit/imagine'
export const MUSIC = '/suno/submit/MUSIC'
const LIST = '/mj/task/list-by-condition'
/** Price of a drawing and of a song, in units. */
export const PRICE = 50_000n
/** A caller's initial balance. */
export const GIVEN = 1_000_000n

export interface TaskHarnessOptions {
  readonly clock: ManualClock
  /** Models of the channel for drawings. */
  readonly models: string
  /** Private networks from which images may be fetched; default: this machine. */
  readonly mediaAddresses?: readonly string[]
  /** DSN of a database server; otherwise the embedded database is used. */
  readonly dsn?: string
}

export async function openTaskHarness({ models, ...options }: TaskHarnessOptions) {
  const harness = await openRelayHarness(options)
  const upstream = await openTaskUpstream()
  const channelId = await harness.addChannel(upstream.url, { type: 2, models, key: 'secret-1' })
  await harness.addChannel(upstream.url, { type: 36, models: 'suno_music,suno_lyrics', key: 'song-key' })
  let ids = 0
  const newId = () => `1718${++ids}`

  const caller = (quota = GIVEN) => harness.addCaller({ quota })
  const post = (path: string, bearer: string, body: unknown = {}) => harness.send({ path, bearer, body })
  const get = (path: string, bearer?: string) =>
    harness.send({ method: 'GET', path, ...(bearer !== undefined && { bearer }) })
  /** An upstream's callback: sent without a token, authenticated by the secret in its address only. */
  const call = (path: string, body: unknown) => harness.send({ path, body })
  const reported = (...items: readonly object[]) => upstream.answer(LIST, { body: items })
  const poll = () => pollAt(harness)

  /** Submits a drawing of a new caller. */
  async function drawing() {
    const who = await caller()
    const id = newId()
    const body = { code: 1, description: 'Submit success', result: id, properties: {} }
    upstream.answer(IMAGINE, { body })
    const answer = await post(IMAGINE, who.bearer, { prompt: 'a cat' })
    return { ...who, id, answer }
  }

  /** The callback address that the upstream got with the last drawing. */
  function lastHook(): string {
    const sent = upstream.asked.findLast(({ path }) => path === IMAGINE)?.body
    const { pathname, search } = new URL(String(Object(sent).notifyHook))
    return pathname + search
  }

  /** A drawing whose upstream got a callback address. */
  async function called() {
    await harness.setOption('ServerAddress', 'http://gateway.test')
    await harness.setOption('MjNotifyEnabled', 'true')
    const made = await drawing()
    return { ...made, hook: lastHook() }
  }

  /**
   * A finished drawing whose image the upstream serves at its own or another origin; `path` is where its
   * owner sees the image.
   */
  async function drawn(answer: UpstreamAnswer, origin = upstream.url) {
    const made = await drawing()
    const path = `/images/${made.id}.png`
    upstream.answer(path, answer)
    reported({ id: made.id, status: 'SUCCESS', progress: '100%', imageUrl: origin + path })
    await poll()
    const { json } = await get(`/mj/task/${made.id}/fetch`, made.bearer)
    const shown = new URL(String(json['imageUrl']))
    return { ...made, path: shown.pathname + shown.search }
  }

  async function song() {
    const who = await caller()
    const id = `song-${newId()}`
    upstream.answer(MUSIC, { body: { code: 'success', message: '', data: id } })
    const answer = await post('/suno/submit/music', who.bearer, { gpt_description_prompt: 'a waltz' })
    return { ...who, id, answer }
  }

  return {
    harness,
    upstream,
    /** Id of the channel for drawings. */
    channelId,
    newId,
    caller,
    post,
    get,
    call,
    reported,
    poll,
    drawing,
    lastHook,
    called,
    drawn,
    song,
    taskRow: (taskId: string) =>
      harness.db
        .selectFrom('tasks')
        .selectAll()
        .where('task_id', '=', taskId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    remaining: async (userId: number) => (await harness.balance(userId))?.remaining,
    refunds: async (userId: number) =>
      harness.db
        .selectFrom('entry')
        .selectAll()
        .where('kind', '=', 'refund')
        .where('user_acct', '=', userId * 4)
        .execute(),
    close: async () => {
      await upstream.close()
      await harness.close()
    },
  }
}

/** Polls all open tasks once, as the timer of a node does. */
export function pollAt(harness: RelayHarness): Promise<void> {
  return pollTasks({ ...harness, ...harness.taskCare, log: harness.log, egress: harness.egress })
}
