import { Button, Input } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import { useIsPhone } from '../../../shared/page/use-is-phone.ts'
import { playgroundMessages } from '../i18n.ts'
import styles from './composer.module.css'
import { AddImages, ImageStrip } from './image-field.tsx'
import { IMAGES_MAX, readImages } from './images.ts'

interface ComposerProps {
  readonly isAnswering: boolean
  readonly isDisabled: boolean
  readonly onAsk: (text: string, images: readonly string[]) => void
  readonly onStop: () => void
}

/**
 * Enter sends the question, Shift+Enter starts a new line. While an answer is streaming, the button stops it.
 * Images can be pasted.
 */
export function Composer({ isAnswering, isDisabled, onAsk, onStop }: ComposerProps) {
  const t = playgroundMessages.use()
  const isPhone = useIsPhone()
  const [text, setText] = useState('')
  const [images, setImages] = useState<readonly string[]>([])
  const canAsk = (text.trim() !== '' || images.length > 0) && !isAnswering && !isDisabled
  const ask = () => {
    if (!canAsk) return
    setText('')
    setImages([])
    onAsk(text.trim(), images)
  }
  const add = async (files: readonly File[]) => {
    const more = await readImages(files)
    setImages((known) => [...known, ...more].slice(0, IMAGES_MAX))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method, Enter confirms a word; that must not send the question.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    void add(files)
  }
  return (
    <div className={styles.composer}>
      <ImageStrip images={images} onRemove={(index) => setImages(images.toSpliced(index, 1))} />
      <div className={styles.line}>
        <AddImages
          isDisabled={isDisabled || images.length >= IMAGES_MAX}
          onAdd={(files) => void add(files)}
        />
        <Input.TextArea
          autoSize={{ minRows: 1, maxRows: 8 }}
          variant="borderless"
          placeholder={isPhone ? t('compose.short') : t('compose')}
          aria-label={t('compose')}
          disabled={isDisabled}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isAnswering ? (
          <Button icon={<Icon name="close" />} onClick={onStop}>
            {t('stop')}
          </Button>
        ) : (
          <Button type="primary" icon={<Icon name="send" />} disabled={!canAsk} onClick={ask}>
            {t('send')}
          </Button>
        )}
      </div>
    </div>
  )
}
