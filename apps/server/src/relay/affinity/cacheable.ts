import type { Ask } from '@tollgate/dialects/dialect'

/** Vendors cache prompts from 1,024 tokens; a token of JSON in English has about four bytes. */
const CACHEABLE_BYTES = 1_024 * 4

/** Members by which callers of the dialects ask for a cache, or refer to a context that is not in the request. */
const MARKS = [
  '"cache_control"',
  '"cachedContent"',
  '"cached_content"',
  '"previous_response_id"',
  '"previous_message_id"',
].map((text) => Buffer.from(text))

/** Whether an upstream's cache can help: the prompt is long enough, or the caller marked what to cache. */
export function isCacheable({ bytes }: Pick<Ask, 'bytes'>): boolean {
  return bytes.length >= CACHEABLE_BYTES || MARKS.some((mark) => bytes.includes(mark))
}
