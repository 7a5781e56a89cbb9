import { readObject } from '@tollgate/dialects/json-limits'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { type TaskRow, findTaskOfCall } from '@tollgate/store/operations/tasks'
import type { TaskSettings } from '../../snapshots/relay-settings.ts'
import { applyUpdate } from '../../tasks/apply-update.ts'
import { answerJson } from './answer.ts'
import type { App } from '../app.ts'
import { readShortBody } from './read-body.ts'
import type { TaskCall } from './task-call.ts'

/** The callback address for an upstream to report on one task; its secret is different for each task. */
export function callbackAddress(
  { call, operation }: Pick<TaskCall, 'call' | 'operation'>,
  secret: string | undefined,
  { serverAddress }: Pick<TaskSettings, 'serverAddress'>,
): string | undefined {
  const { callbackPath } = operation.endsLater
  if (callbackPath === undefined || secret === undefined || serverAddress === '') return undefined
  return `${serverAddress}${callbackPath}?call=${call.id}&secret=${secret}`
}

const BODY_BYTES_MAX = 64 * 1024

/** Handles a callback. It can only move its own task forward. */
export async function handleCallback(task: Omit<TaskCall, 'caller'>, app: App): Promise<void> {
  const { call, api } = task
  const row = await taskOf(task, app)
  const update = api.readNotice?.(
    readObject(await readShortBody(call, { userId: row.user_id, bytesMax: BODY_BYTES_MAX }, app)),
  )
  const isOwn = update !== undefined && (row.status === 'UNKNOWN' || update.taskId === row.task_id)
  if (!isOwn) throw problem('task_callback_refused')
  const cared = await applyUpdate(app, row, update)
  const description = cared === 'nothing' || cared === 'late' ? 'nothing new' : 'success'
  answerJson(call, { status: 200, body: { code: 1, description } })
}

async function taskOf({ call, operation }: Omit<TaskCall, 'caller'>, { db }: App): Promise<TaskRow> {
  const { searchParams } = new URL(call.request.url ?? '', 'http://callback.invalid')
  const callId = searchParams.get('call') ?? ''
  const secret = searchParams.get('secret') ?? ''
  const row = callId === '' || secret === '' ? undefined : await findTaskOfCall(db, callId)
  const isRight =
    row?.platform === operation.endsLater.platform &&
    row.secret_hash !== '' &&
    row.secret_hash === sha256Hex(secret)
  if (!isRight) throw problem('task_callback_refused')
  return row
}
