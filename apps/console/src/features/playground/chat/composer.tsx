import { Button, Input } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import { useIsPhone } from '../../../shared/page/use-is-phone.ts'
import { playgroundMessages } from '../i18n.ts'
import styles from './composer.module.css'

interface ComposerProps {
  readonly isAnswering: boolean
  readonly isDisabled: boolean
  readonly onAsk: (text: string) => void
  readonly onStop: () => void
}

/** Enter asks, Shift and Enter begins a new line. While an answer comes, the button stops it. */
export function Composer({ isAnswering, isDisabled, onAsk, onStop }: ComposerProps) {
  const t = playgroundMessages.use()
  const isPhone = useIsPhone()
  const [text, setText] = useState('')
  const canAsk = text.trim() !== '' && !isAnswering && !isDisabled
  const ask = () => {
    if (!canAsk) return
    setText('')
    onAsk(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also chooses a word in an input method; that is not yet a question.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask()
  }
  return (
    <div className={styles.composer}>
      <Input.TextArea
        autoSize={{ minRows: 1, maxRows: 8 }}
        variant="borderless"
        placeholder={isPhone ? t('compose.short') : t('compose')}
        aria-label={t('compose')}
        disabled={isDisabled}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
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
  )
}
