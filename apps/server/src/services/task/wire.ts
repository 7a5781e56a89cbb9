import type { DrawingRow, TaskRow as WireTask } from '@tollgate/contract/task'
import {
  contentAddress,
  IMAGE_MARK,
  imageAddress,
  imageMarkText,
} from '@tollgate/providers/tasks/image-address'
import { taskReasonText } from '@tollgate/contract/task-words'
import { parseObject } from '@tollgate/kit/json'
import type { Language } from '@tollgate/problems/problem'
import { isEnded, type TaskRow } from '@tollgate/store/operations/tasks'
import { paidUnits } from '../../tasks/token-charge.ts'
import type { UserHeader } from '../handler.ts'
import { problemText } from '../problem-text.ts'
import { wireQuota } from '../wire-quota.ts'
import type { TaskServices } from './services.ts'

/** Names of a task's owner and channel, for administrators. */
export interface TaskNames {
  readonly username: string
  readonly channel_name: string
}

/** The context of the request that reads tasks. */
export interface TaskReader {
  readonly services: TaskServices
  readonly language: Language
  readonly userHeader: UserHeader | undefined
}

/** A drawing in new-api's response format. */
export function toWireDrawing(row: TaskRow, names: TaskNames, reader: TaskReader): DrawingRow {
  const { services } = reader
  const detail = parseObject(row.detail) ?? {}
  return {
    id: row.id,
    code: typeof detail['code'] === 'number' ? detail['code'] : 0,
    user_id: row.user_id,
    action: row.action,
    mj_id: row.task_id,
    prompt: textOf(detail['prompt']),
    prompt_en: textOf(detail['prompt_en']),
    description: textOf(detail['description']),
    state: textOf(detail['state']),
    submit_time: row.submit_ms,
    start_time: row.start_ms,
    finish_time: row.finish_ms,
    image_url: imageOf(row, detail, services),
    status: row.status,
    progress: row.progress,
    fail_reason: failReason(row, detail, reader),
    channel_id: row.channel_id,
    ...names,
    quota: wireQuota(paidUnits(row)),
    buttons: jsonText(detail['buttons']),
    properties: jsonText(detail['properties']),
  }
}

/** Unlike new-api, this returns no image address for a drawing without an image. */
function imageOf(row: TaskRow, detail: Readonly<Record<string, unknown>>, services: TaskServices): string {
  const { options, clock } = services
  const { task_id: taskId } = row
  return imageAddress({
    detail,
    taskId,
    isFinal: isEnded(row),
    forwarded: options.get('MjForwardUrlEnabled')
      ? {
          server: serverOf(services),
          mark: markOf(row, services),
          nowMs: clock.nowMs(),
        }
      : undefined,
  })
}

function serverOf({ options, ownAddress }: TaskServices): string {
  return options.get('ServerAddress').replace(/\/+$/, '') || ownAddress()
}

function markOf({ user_id: userId, task_id: taskId }: TaskRow, { cipher }: TaskServices): string {
  return cipher.mark(imageMarkText({ userId, taskId }), IMAGE_MARK)
}

/** Only videos get an address here; song data contains its own addresses. */
function resultOf(row: TaskRow, services: TaskServices): string {
  if (row.platform !== 'video' || row.status !== 'SUCCESS') return ''
  return contentAddress({ server: serverOf(services), taskId: row.task_id, mark: markOf(row, services) })
}

/** A song or another task in new-api's response format. */
export function toWireTask(row: TaskRow, names: TaskNames, reader: TaskReader): WireTask {
  const { services } = reader
  const detail = parseObject(row.detail) ?? {}
  const { properties, data } = detail
  return {
    id: row.id,
    created_at: seconds(row.created_ms),
    updated_at: seconds(row.updated_ms),
    task_id: row.task_id,
    platform: row.platform,
    user_id: row.user_id,
    channel_id: row.channel_id,
    ...names,
    quota: wireQuota(paidUnits(row)),
    action: row.action,
    status: row.status,
    fail_reason: failReason(row, detail, reader),
    submit_time: seconds(row.submit_ms),
    start_time: seconds(row.start_ms),
    finish_time: seconds(row.finish_ms),
    progress: row.progress,
    properties: properties ?? { input: '' },
    data: data ?? null,
    result_url: resultOf(row, services),
  }
}

/**
 * Translates our own failure reasons into the reader's language. Clients of the old API get the stored
 * English text.
 */
function failReason(
  { fail_reason: stored }: TaskRow,
  detail: Readonly<Record<string, unknown>>,
  { language, userHeader }: TaskReader,
): string {
  if (userHeader !== 'own') return stored
  return problemText(stored, detail, language) ?? taskReasonText(stored, language)
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function jsonText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
