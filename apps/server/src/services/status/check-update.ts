import type { statusRoutes } from '@tollgate/contract/status'
import { Problem, problem } from '@tollgate/problems/problem'
import { z } from 'zod'
import type { Handler } from '../handler.ts'
import type { StatusServices } from './read.ts'

const TIMEOUT_MS = 10_000
const BYTES_MAX = 512 * 1024
const NOTES_CHARACTERS_MAX = 4000

/** The members used of https://docs.github.com/en/rest/releases/releases#get-the-latest-release */
const releaseSchema = z.object({
  tag_name: z.string().min(1).max(100),
  html_url: z.url({ protocol: /^https?$/ }).catch(''),
  published_at: z.string().max(40).catch(''),
  body: z.string().catch(''),
})

/** Looks up the newest release. Runs only at a person's request and never installs anything. */
export function checkUpdate({
  egress,
  releasesUrl,
  version,
}: StatusServices): Handler<typeof statusRoutes.checkUpdate> {
  return async () => {
    if (releasesUrl === undefined) throw problem('update_check_unset')
    const release = await readRelease(egress, releasesUrl)
    return {
      current: `v${version}`,
      latest: release.tag_name,
      is_newer: isNewer(release.tag_name, version),
      url: release.html_url,
      published_at: release.published_at,
      notes: release.body.slice(0, NOTES_CHARACTERS_MAX),
    }
  }
}

async function readRelease(egress: StatusServices['egress'], url: string) {
  try {
    const answer = await egress.exchange({
      method: 'GET',
      url,
      headers: { accept: 'application/json', 'user-agent': 'tollgate' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
    })
    return releaseSchema.parse(JSON.parse(answer.body.toString('utf8')))
  } catch (cause) {
    const isExpected = cause instanceof Problem || cause instanceof SyntaxError || cause instanceof z.ZodError
    if (!isExpected) throw cause
    throw problem('update_check_failed', {}, { cause })
  }
}

/** Compares the numbers of a tag such as `v1.12.3`; a tag without numbers is never newer. */
export function isNewer(tag: string, version: string): boolean {
  const theirs = numbersOf(tag)
  const ours = numbersOf(version)
  if (theirs === undefined || ours === undefined) return false
  const place = theirs.findIndex((number, index) => number !== ours[index])
  return place !== -1 && (theirs[place] ?? 0) > (ours[place] ?? 0)
}

function numbersOf(text: string): readonly number[] | undefined {
  const parts = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(text)
  return parts?.slice(1).map(Number)
}
