import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { Problem, problem } from '@tollgate/kit/problem'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { IMAGE_MARK, imageMarkText } from '@tollgate/providers/tasks/image-address'
import { type TaskRow, listTasksNamed } from '@tollgate/store/tasks'
import type { Call } from '../call.ts'
import { imageType } from './image-type.ts'
import type { TaskPorts } from './ports.ts'

const ROWS_LOOKED_AT_MAX = 50
const IMAGE_MS = 60_000
const IMAGE_BYTES_MAX = 20 * 1024 * 1024
const REDIRECTS_MAX = 3
/** They are kept in memory while they are passed on. */
const AT_ONCE_MAX = 16

/**
 * The images of drawings, served from here. WEAKNESS: an address has a mark that only this gateway can make for its owner;
 * only public hosts are asked, whatever a task says; and what is no picture is never handed on, whatever it calls itself.
 */
export class ImageDoor {
  readonly #ports: Pick<TaskPorts, 'db' | 'mediaEgress' | 'seal'>
  #underWay = 0

  constructor(ports: Pick<TaskPorts, 'db' | 'mediaEgress' | 'seal'>) {
    this.#ports = ports
  }

  async serve(call: Call, taskId: string): Promise<void> {
    const url = await this.#addressOf(call, taskId)
    if (this.#underWay >= AT_ONCE_MAX) throw problem('gateway_busy')
    this.#underWay++
    try {
      const { body } = await fetchImage(this.#ports.mediaEgress, url)
      const type = imageType(body)
      if (type === undefined) throw problem('task_image_unavailable')
      answerImage(call, { type, body })
    } finally {
      this.#underWay--
    }
  }

  async #addressOf(call: Call, taskId: string): Promise<string> {
    const own = await markedRows(call, { platform: 'mj', taskId }, this.#ports)
    const urls = own.flatMap((row) => textAt(parseObject(row.detail) ?? {}, 'image_url') ?? [])
    const [newest] = urls
    if (newest === undefined) throw problem('midjourney_task_not_found')
    return newest
  }
}

/** The rows whose owner the request's mark was made for; none where it has no mark. */
async function markedRows(
  { request }: Call,
  task: { readonly platform: string; readonly taskId: string },
  { db, seal }: Pick<TaskPorts, 'db' | 'seal'>,
): Promise<readonly TaskRow[]> {
  const key = new URL(request.url ?? '', 'http://image.invalid').searchParams.get('key')
  if (key === null || key === '') return []
  const rows = await listTasksNamed(db, { ...task, limit: ROWS_LOOKED_AT_MAX })
  const { taskId } = task
  return rows.filter((row) => seal.mark(imageMarkText({ userId: row.user_id, taskId }), IMAGE_MARK) === key)
}

/** Whose video an address with a mark shows. */
export async function markedOwner(
  call: Call,
  taskId: string,
  ports: Pick<TaskPorts, 'db' | 'seal'>,
): Promise<number | undefined> {
  const [row] = await markedRows(call, { platform: 'video', taskId }, ports)
  return row?.user_id
}

async function fetchImage(egress: Pick<Egress, 'exchange'>, from: string): Promise<ExchangeAnswer> {
  let url = from
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const answer = await egress
      .exchange({
        method: 'GET',
        url,
        headers: { accept: 'image/*' },
        timeoutMs: IMAGE_MS,
        bytesMax: IMAGE_BYTES_MAX,
      })
      .catch(unavailable)
    if (answer.status === 200) return answer
    const next = isRedirect(answer.status) ? URL.parse(answer.headers['location'] ?? '', url) : null
    if (next === null) break
    url = next.href
  }
  throw problem('task_image_unavailable')
}

function isRedirect(status: number): boolean {
  return status >= 301 && status <= 308 && status !== 304
}

/** Neither the host nor the reason is anybody's business. */
function unavailable(cause: unknown): never {
  if (cause instanceof Problem) throw problem('task_image_unavailable', {}, { cause })
  throw cause
}

function answerImage({ response, id, isGone }: Call, { type, body }: { type: string; body: Buffer }): void {
  if (isGone) return
  response.writeHead(200, [
    'content-type',
    type,
    'content-length',
    String(body.length),
    'content-disposition',
    `attachment; filename="drawing.${type.slice('image/'.length)}"`,
    'x-content-type-options',
    'nosniff',
    'content-security-policy',
    "default-src 'none'; sandbox",
    'cross-origin-resource-policy',
    'cross-origin',
    'cache-control',
    'private, max-age=3600',
    'x-request-id',
    id,
  ])
  response.end(body)
}
