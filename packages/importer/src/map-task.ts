import type { TaskTable } from '@tollgate/store/tables/trade'
import { text, units, whole } from './cell.ts'
import { bounded } from './figures.ts'
import type { SourceRow } from './source.ts'

export type MappedTask = Omit<TaskTable, 'id'>

/**
 * Maps music and other tasks. Their times are in seconds, except where the source stored an upstream's
 * milliseconds unchanged.
 */
export function mapTask(row: SourceRow): MappedTask {
  const createdMs = milliseconds(whole(row, 'created_at'))
  return {
    ...common(row),
    platform: text(row, 'platform').slice(0, 255) || 'suno',
    task_id: text(row, 'task_id').trim().slice(0, 255),
    submit_ms: milliseconds(whole(row, 'submit_time')) || createdMs,
    start_ms: milliseconds(whole(row, 'start_time')),
    finish_ms: milliseconds(whole(row, 'finish_time')),
    detail: JSON.stringify({ properties: json(row, 'properties'), data: json(row, 'data') }),
    created_ms: createdMs,
    updated_ms: milliseconds(whole(row, 'updated_at')) || createdMs,
  }
}

/** Maps drawings (Midjourney). Their times are in milliseconds. */
export function mapDrawing(row: SourceRow): MappedTask {
  const submitMs = whole(row, 'submit_time')
  const finishMs = whole(row, 'finish_time')
  const detail = {
    code: whole(row, 'code'),
    ...Object.fromEntries(DRAWING_TEXTS.map((name) => [name, text(row, name)])),
    buttons: json(row, 'buttons'),
    properties: json(row, 'properties'),
  }
  return {
    ...common(row),
    platform: 'mj',
    task_id: text(row, 'mj_id').trim().slice(0, 255),
    submit_ms: submitMs,
    start_ms: whole(row, 'start_time'),
    finish_ms: finishMs,
    detail: JSON.stringify(detail),
    created_ms: submitMs,
    updated_ms: finishMs || submitMs,
  }
}

const DRAWING_TEXTS = [
  'prompt',
  'prompt_en',
  'description',
  'state',
  'image_url',
  'video_url',
  'video_urls',
] as const

function common(row: SourceRow) {
  const quota = bounded(units(row, 'quota'))
  return {
    user_id: whole(row, 'user_id'),
    token_id: 0,
    channel_id: whole(row, 'channel_id'),
    request_id: null,
    action: text(row, 'action').slice(0, 255),
    status: text(row, 'status').trim().slice(0, 255) || 'NOT_START',
    progress: text(row, 'progress').slice(0, 255) || '0%',
    fail_reason: text(row, 'fail_reason'),
    quota: quota < 0n ? 0n : quota,
    deadline_ms: 0,
    secret_hash: '',
    version: 1,
  }
}

/** A larger value must be milliseconds: as seconds it would lie after the year 5138. */
const SECONDS_MAX = 1e11

function milliseconds(time: number): number {
  const positive = Math.max(0, time)
  return positive > SECONDS_MAX ? positive : positive * 1000
}

/** Parsed JSON; text that is not JSON stays text. */
function json(row: SourceRow, column: string): unknown {
  const value = text(row, column)
  if (value === '') return null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
