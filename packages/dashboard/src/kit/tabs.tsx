import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import css from './tabs.module.css';

/** Where not all have room, the open one is in view. */
function showOpen(tabs: HTMLElement): void {
  const open = tabs.querySelector<HTMLElement>('[data-status="active"]');
  if (open) tabs.scrollLeft = open.offsetLeft + open.offsetWidth - tabs.offsetLeft - tabs.clientWidth;
}

/** The parts of a page, each a link: the router marks the one that is open. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { href } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = tabs;
    if (!href || !current) return undefined;
    const observer = new ResizeObserver(() => showOpen(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [href]);
  return (
    <nav ref={tabs} className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
