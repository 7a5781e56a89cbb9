import { readObject } from '@tollgate/dialects/json-limits'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import type { TaskPlatform } from '@tollgate/providers/tasks/platform'
import { type TaskRow, findTaskOfCall } from '@tollgate/store/operations/tasks'
import type { TaskSettings } from '../../snapshots/relay-settings.ts'
import { applyUpdate } from '../../tasks/apply-update.ts'
import type { Call } from '../call.ts'
import { answerJson } from './answer.ts'
import type { App } from '../app.ts'
import { readShortBody } from './read-body.ts'

/** The callback address for an upstream to report on one task; its secret is different for each task. */
export function callbackAddress(
  callId: string,
  secret: string | undefined,
  { serverAddress }: Pick<TaskSettings, 'serverAddress'>,
): string | undefined {
  if (secret === undefined || serverAddress === '') return undefined
  return `${serverAddress}/mj/notify?call=${callId}&secret=${secret}`
}

const BODY_BYTES_MAX = 64 * 1024

/** Handles a callback. It can only move its own task forward. */
export async function handleCallback(call: Call, platform: TaskPlatform, app: App): Promise<void> {
  const row = await taskOf(call, platform, app)
  const update = platform.readNotice?.(
    readObject(await readShortBody(call, { userId: row.user_id, bytesMax: BODY_BYTES_MAX }, app)),
  )
  const isOwn = update !== undefined && (row.status === 'UNKNOWN' || update.taskId === row.task_id)
  if (!isOwn) throw problem('task_callback_refused')
  const cared = await applyUpdate(app, row, update)
  const description = cared === 'nothing' || cared === 'late' ? 'nothing new' : 'success'
  answerJson(call, { status: 200, body: { code: 1, description } })
}

async function taskOf({ request }: Call, platform: TaskPlatform, { db }: App): Promise<TaskRow> {
  const { searchParams } = new URL(request.url ?? '', 'http://callback.invalid')
  const callId = searchParams.get('call') ?? ''
  const secret = searchParams.get('secret') ?? ''
  const row = callId === '' || secret === '' ? undefined : await findTaskOfCall(db, callId)
  const isRight =
    row?.platform === platform.id && row.secret_hash !== '' && row.secret_hash === sha256Hex(secret)
  if (!isRight) throw problem('task_callback_refused')
  return row
}
