import { textAt, type JsonObject } from '@tollgate/dialects/json'

/**
 * The purpose of the mark in an image URL, which is made with the gateway's key. Anyone with the complete URL
 * has the access of the task's owner.
 */
export const IMAGE_MARK = 'task-image'

export function imageMarkText({
  userId,
  taskId,
}: {
  readonly userId: number
  readonly taskId: string
}): string {
  return `${userId}:${taskId}`
}

/**
 * Returns the URL at which the owner of a video can fetch it. Anyone with this URL has the owner's access to
 * the video, too.
 */
export function contentAddress({
  server,
  taskId,
  mark,
}: {
  readonly server: string
  readonly taskId: string
  readonly mark: string
}): string {
  return `${server}/v1/videos/${encodeURIComponent(taskId)}/content?key=${mark}`
}

export interface ShownImage {
  readonly detail: JsonObject
  readonly taskId: string
  readonly isFinal: boolean
  /** Set when this gateway serves the image itself; otherwise the upstream's URL is shown. */
  readonly forwarded: { readonly server: string; readonly mark: string; readonly nowMs: number } | undefined
}

/**
 * Returns the URL of a task's image for its owner; "" while there is none. While the image may still change,
 * each URL has a new `rand` parameter, so that clients fetch the image again.
 */
export function imageAddress({ detail, taskId, isFinal, forwarded }: ShownImage): string {
  const upstream = textAt(detail, 'image_url') ?? ''
  if (upstream === '' || forwarded === undefined) return upstream
  const { server, mark, nowMs } = forwarded
  const again = isFinal ? '' : `&rand=${nowMs}`
  return `${server}/mj/image/${encodeURIComponent(taskId)}?key=${mark}${again}`
}
