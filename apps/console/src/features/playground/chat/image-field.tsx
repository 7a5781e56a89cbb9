import { Button } from 'antd'
import { useRef } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import { playgroundMessages } from '../i18n.ts'
import styles from './composer.module.css'

interface AddImagesProps {
  readonly isDisabled: boolean
  readonly onAdd: (files: readonly File[]) => void
}

/** Opens the browser's file picker. */
export function AddImages({ isDisabled, onAdd }: AddImagesProps) {
  const t = playgroundMessages.use()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        hidden
        multiple
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button
        type="text"
        icon={<Icon name="image" />}
        aria-label={t('image.add')}
        title={t('image.add')}
        disabled={isDisabled}
        onClick={() => field.current?.click()}
      />
    </>
  )
}

interface ImageStripProps {
  readonly images: readonly string[]
  readonly onRemove: (index: number) => void
}

/** The images attached to the question; a click removes one. */
export function ImageStrip({ images, onRemove }: ImageStripProps) {
  const t = playgroundMessages.use()
  if (images.length === 0) return null
  return (
    <div className={styles.images}>
      {images.map((address, index) => (
        <button
          key={address}
          type="button"
          title={t('image.remove', { number: index + 1 })}
          onClick={() => onRemove(index)}
        >
          <img src={address} alt={t('image.remove', { number: index + 1 })} />
        </button>
      ))}
    </div>
  )
}
