/** Collects what the parts of a request make the upstream read. */
export class Found {
  serverTool: string | undefined
  storedContext: string | undefined
  keptByVendor: string | undefined
  readonly media = new Set<'image' | 'audio'>()
  isAnything = false

  runs(member: string): void {
    this.serverTool ??= member
    this.isAnything = true
  }

  stored(member: string): void {
    this.storedContext ??= member
    this.reads('image', 'audio')
  }

  kept(member: string): void {
    this.keptByVendor ??= member
    this.stored(member)
  }

  reads(...media: readonly ('image' | 'audio')[]): void {
    for (const kind of media) this.media.add(kind)
    this.isAnything = true
  }
}

export function isAsked(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}
