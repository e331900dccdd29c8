package glyphwire

import "context"

// latestFrame is the newest frame of a camera until it is sent. The mutex of its connection guards it.
type latestFrame struct {
	frame *Frame
	// isLast says that no newer one comes.
	isLast bool
}

// SendLatest sends frames of a camera, the newest each time that fewer than two are unanswered, until the channel is closed.
//
// So the delay stays short, also over a slow network. A frame that a newer one replaces is not sent, and has no result. The
// payload of a frame must not be changed after it was sent to the channel.
func (c *Connection) SendLatest(ctx context.Context, frames <-chan Frame) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var latest latestFrame
	go c.watch(ctx, frames, &latest)
	for {
		frame, err := c.waitForLatest(ctx, &latest)
		if err != nil || frame == nil {
			return err
		}
		if _, err := c.SendContext(ctx, *frame); err != nil {
			return err
		}
	}
}

// watch takes frames as they come, and keeps the newest.
func (c *Connection) watch(ctx context.Context, frames <-chan Frame, latest *latestFrame) {
	for {
		select {
		case frame, isOpen := <-frames:
			c.mutex.Lock()
			if isOpen {
				latest.frame = &frame
			}
			latest.isLast = !isOpen
			c.changed.Broadcast()
			c.mutex.Unlock()
			if !isOpen {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// waitForLatest waits until the newest frame may be sent, and returns nil behind the last.
func (c *Connection) waitForLatest(ctx context.Context, latest *latestFrame) (*Frame, error) {
	defer c.wakeWhenDone(ctx)()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for {
		switch {
		case c.stream.end != nil:
			return nil, c.stream.end
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case latest.frame == nil && latest.isLast:
			return nil, nil
		case latest.frame != nil && c.stream.maySendLatest():
			frame := latest.frame
			latest.frame = nil
			return frame, nil
		}
		c.changed.Wait()
	}
}
