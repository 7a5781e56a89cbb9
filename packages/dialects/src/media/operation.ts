/** Operations that generate, edit, speak or transcribe media. */
export const imageOperations = ['images', 'image-edits', 'image-variations'] as const
export const transcriptOperations = ['transcriptions', 'translations'] as const

export type ImageOperation = (typeof imageOperations)[number]
export type TranscriptOperation = (typeof transcriptOperations)[number]
export type MediaOperation = ImageOperation | TranscriptOperation | 'speech'

const images: ReadonlySet<string> = new Set(imageOperations)
const transcripts: ReadonlySet<string> = new Set(transcriptOperations)

export function isImageOperation(operation: string): operation is ImageOperation {
  return images.has(operation)
}

export function isTranscript(operation: string): operation is TranscriptOperation {
  return transcripts.has(operation)
}

/** Operations whose requests may contain files. */
export type FormOperation = Exclude<MediaOperation, 'images' | 'speech'>

export function takesForm(operation: string): operation is FormOperation {
  return isTranscript(operation) || operation === 'image-edits' || operation === 'image-variations'
}

export function isMedia(operation: string): operation is MediaOperation {
  return operation === 'speech' || images.has(operation) || transcripts.has(operation)
}
