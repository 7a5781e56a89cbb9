import { JobFailure } from '../job.ts'
import type { BackupInstallation, BackupTarget } from './target.ts'

/** The file of a folder or bucket that says which installation keeps its copies there. */
export const OWNER_FILE = 'tollgate-owner.json'

/** Another process may change the owner at the same moment. */
const TRIES_MAX = 3

/**
 * Makes this installation the owner of the place, unless another one is. An installation that was a copy takes over from the one
 * that it was a copy of, which then finds that it is no longer the owner.
 */
export async function claimTarget(
  target: BackupTarget,
  { id, predecessor }: Pick<BackupInstallation, 'id' | 'predecessor'>,
): Promise<void> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const recorded = await target.readOwner()
    if (recorded?.owner === id) return
    const mayTake = recorded === undefined || (predecessor !== '' && recorded.owner === predecessor)
    if (!mayTake) throw ownedByAnother(target.name, recorded.owner)
    if (await target.writeOwner(id, recorded?.version)) return
  }
  throw ownedByAnother(target.name, '?')
}

function ownedByAnother(place: string, owner: string): JobFailure {
  return new JobFailure({
    en: `${place} belongs to another installation (${owner}): nothing was written or removed there. Choose another place, or remove ${OWNER_FILE} there if that installation is gone.`,
    zh: `${place} 属于另一个安装（${owner}）：未写入也未删除任何内容。请改用其他位置；如果该安装已不存在，请删除其中的 ${OWNER_FILE}。`,
  })
}

export function writeOwnerText(owner: string): string {
  return `${JSON.stringify({ owner })}\n`
}

/** "" for a file that says nothing, which belongs to nobody we know. */
export function readOwnerText(text: string): string {
  try {
    const { owner }: { owner?: unknown } = JSON.parse(text) ?? {}
    return typeof owner === 'string' ? owner : ''
  } catch {
    return ''
  }
}
