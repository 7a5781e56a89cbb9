import type { Channel } from '@tollgate/contract/channel'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import { EmptyState } from '../../shared/page/empty-state.tsx'
import styles from './channels.module.css'
import { listOf } from './form-value.ts'
import { channelMessages } from './i18n/index.ts'
import { useTestChannel } from './use-test-channel.ts'

interface TestPickerProps {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Lists every model of a channel; a click tests the channel with it. */
export function TestPicker({ channel, onClose }: TestPickerProps) {
  const t = channelMessages.use()
  const test = useTestChannel()
  const [text, setText] = useState('')
  const [running, setRunning] = useState<string>()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, boolean>>(new Map())
  const wanted = text.trim().toLowerCase()
  const models = listOf(channel.models).filter((model) => model.toLowerCase().includes(wanted))

  async function run(model: string) {
    setRunning(model)
    const isOk = await test(channel, model)
    setOutcomes((known) => new Map(known).set(model, isOk))
    setRunning(undefined)
  }
  return (
    <Modal
      open
      width={640}
      footer={null}
      title={t('testModelTitle', { name: channel.name })}
      onCancel={onClose}
    >
      <Input
        allowClear
        value={text}
        placeholder={t('word.model')}
        aria-label={t('word.model')}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.picker}>
        {models.map((model) => (
          <Button
            key={model}
            className="code"
            loading={running === model}
            disabled={running !== undefined && running !== model}
            danger={outcomes.get(model) === false}
            icon={outcomes.has(model) && <Icon name={outcomes.get(model) === true ? 'check' : 'warning'} />}
            onClick={() => void run(model)}
          >
            {model}
          </Button>
        ))}
      </div>
      {models.length === 0 && <EmptyState title={t('nothingFound')} />}
    </Modal>
  )
}
