# Sends mail.
require 'net/smtp'
require_relative 'templates/base'

module Post::Office #= class/module Post.Office
  # A mailer.
  class Mailer < Base::Sender #= class Post.Office.Mailer
    include Comparable
    attr_reader :to

    # Makes one.
    def initialize(to, retries: 3) #= method/constructor Post.Office.Mailer.initialize
      super
    end

    def self.build(to) = new(to) #= method Post.Office.Mailer.build

    def ready? #= method Post.Office.Mailer.ready?
      deliver(1) if @to
      [1].each { |n| n.succ }
    end

    class << self
      def defaults; end #= method Post.Office.Mailer.defaults
    end

    private def secret; end #= method Post.Office.Mailer.secret

    Error = Class.new(StandardError)
  end

  def helper; end #= function Post.Office.helper
end

def Post.setup(now) #= method Post.setup
end

def top(*rest, &block) #= function top
  yield
end
