import { Dropdown } from 'antd'
import { cloneElement, useState } from 'react'
import type { MenuOnDemandProps } from './menu-on-demand.tsx'
import type { InteractionStage } from './use-interaction-stage.ts'

interface LibraryMenuProps extends MenuOnDemandProps {
  /**
   * How far the reader's interaction had gone (pointed at, focused, opened) when the menu replaced the plain
   * button.
   */
  readonly reach: InteractionStage
}

/** The component library's menu around its button. */
export function LibraryMenu({ items, placement = 'bottomLeft', reach, children }: LibraryMenuProps) {
  const [isOpen, setIsOpen] = useState(reach === 'opened')
  const [hasFocus] = useState(reach === 'focused' || reach === 'opened')
  return (
    <Dropdown
      trigger={['click']}
      placement={placement}
      menu={{ items }}
      open={isOpen}
      onOpenChange={(isAsked) => setIsOpen(isAsked)}
    >
      {cloneElement(children, { autoFocus: hasFocus })}
    </Dropdown>
  )
}
