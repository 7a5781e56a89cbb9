import { textAt, type JsonObject } from '@tollgate/dialects/json'

/** What the mark in an image's address is made of, with the gateway's key: the address is as good as the task's owner. */
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

/** Where the owner of a video sees it: as good as the owner, too. */
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
  /** Served by this gateway; otherwise where the upstream has it. */
  readonly forwarded: { readonly server: string; readonly mark: string; readonly nowMs: number } | undefined
}

/** Where the owner of a task sees its image; "" while there is none. An image that may still change has a new address each time. */
export function imageAddress({ detail, taskId, isFinal, forwarded }: ShownImage): string {
  const upstream = textAt(detail, 'image_url') ?? ''
  if (upstream === '' || forwarded === undefined) return upstream
  const { server, mark, nowMs } = forwarded
  const again = isFinal ? '' : `&rand=${nowMs}`
  return `${server}/mj/image/${encodeURIComponent(taskId)}?key=${mark}${again}`
}
