import { notifyFailure } from '../../../shared/notify/notify.ts'
import { playgroundMessages } from '../i18n.ts'

export const IMAGES_MAX = 4
const MEGABYTE = 1_000_000
const IMAGE_BYTES_MAX = 5 * MEGABYTE
const IMAGE_TYPE = /^image\/(png|jpeg|webp|gif)$/

/**
 * Reads images as data URLs, the format that models accept. A file that is not an image or is too large is
 * named in a notice and left out.
 */
export async function readImages(files: readonly File[]): Promise<readonly string[]> {
  const { t } = playgroundMessages
  const fitting = files.filter(({ type, size }) => IMAGE_TYPE.test(type) && size <= IMAGE_BYTES_MAX)
  for (const { name } of files.filter((file) => !fitting.includes(file)))
    notifyFailure(t('image.tooLarge', { name, size: IMAGE_BYTES_MAX / MEGABYTE }))
  return Promise.all(fitting.map(dataAddress))
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.readAsDataURL(file)
  })
}
