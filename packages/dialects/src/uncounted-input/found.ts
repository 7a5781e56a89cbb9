type UncountedMedia = ReadonlySet<'image' | 'audio'>

const NO_MEDIA: UncountedMedia = new Set()

/** Collects what the parts of a request make the upstream read. */
export class Found {
  serverTool: string | undefined
  storedContext: string | undefined
  keptByVendor: string | undefined
  /** An own property, because copies of this object have it too. */
  media: UncountedMedia = NO_MEDIA
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
    this.media = new Set([...this.media, ...media])
    this.isAnything = true
  }
}

export { isMemberSet as isAsked } from '../canonical/state-members.ts'
